//! Memory between two guard pages: a load or a store beyond either end crashes the program at once. All other accesses
//! are as fast as usual.

/// At least `len` zeroed code units or bytes, with guard pages right before and after them. They are never freed.
#[allow(unsafe_code)]
pub fn guarded<T: super::Element>(len: usize) -> &'static mut [T] {
    // SAFETY: a query without side effects.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let bytes = (len * size_of::<T>()).next_multiple_of(page);
    // SAFETY: a new anonymous mapping, at an address of the kernel's choice.
    let map = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        libc::mmap(std::ptr::null_mut(), bytes + 2 * page, libc::PROT_NONE, flags, -1, 0)
    };
    assert_ne!(map, libc::MAP_FAILED);
    // SAFETY: the first page is part of the mapping.
    let first = unsafe { map.add(page) };
    // SAFETY: the pages but the first and the last of the mapping just made.
    let failed = unsafe { libc::mprotect(first, bytes, libc::PROT_READ | libc::PROT_WRITE) };
    assert_eq!(failed, 0);
    // SAFETY: the memory is mapped, zeroed, readable and writable, and nothing else refers to it. An `Element` is an
    // integer, and a page is aligned for it.
    unsafe { std::slice::from_raw_parts_mut(first.cast(), bytes / size_of::<T>()) }
}
