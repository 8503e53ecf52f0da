/* fastutf for C++17: fastutf.h with views instead of pointers and lengths, and strings as results. Header only; docs/c.md
 * has an introduction.
 *
 * Nothing here throws, except for `value()` of a result that is an error, and std::bad_alloc of a string that grows. It also
 * compiles without exceptions; then `value()` aborts. */

#ifndef FASTUTF_HPP
#define FASTUTF_HPP

#include <fastutf.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fastutf {

/* Bytes at any address: from anything that has data() and size(), or from a pointer and a number of bytes. */
class bytes {
public:
    constexpr bytes() noexcept = default;
    constexpr bytes(const void *data, std::size_t size) noexcept : data_(data), size_(size) {}

    template <class C, class T = std::remove_pointer_t<decltype(std::declval<const C &>().data())>,
              class = std::enable_if_t<std::is_trivially_copyable_v<T>
                                       && std::is_convertible_v<decltype(std::declval<const C &>().size()), std::size_t>>>
    constexpr bytes(const C &all) noexcept : data_(all.data()), size_(all.size() * sizeof(T))
    {
    }

    constexpr const void *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

private:
    const void *data_ = nullptr;
    std::size_t size_ = 0;
};

/* Why there is no result. */
struct failure {
    std::uint64_t position = 0; /* in units of the input; of a stream, in bytes from its start */
    fastutf_status status = FASTUTF_OK;
    fastutf_error error = FASTUTF_NO_ERROR;
    std::uint8_t length = 0; /* how far to skip; 0 if the input ends inside a character */

    const char *what() const noexcept
    {
        return status == FASTUTF_INVALID ? fastutf_error_text(error) : fastutf_status_text(status);
    }
};

/* What `value()` of a failure throws. */
class conversion_error : public std::runtime_error {
public:
    explicit conversion_error(const failure &why)
        : std::runtime_error(std::string(why.what()) + " at " + std::to_string(why.position)), why_(why)
    {
    }
    const failure &why() const noexcept { return why_; }

private:
    failure why_;
};

/* A value, or why there is none. */
template <class T>
class [[nodiscard]] result {
public:
    result(T value) : value_(std::move(value)) {}
    result(const failure &why) : why_(why) {}

    explicit operator bool() const noexcept { return value_.has_value(); }
    bool has_value() const noexcept { return value_.has_value(); }
    T &operator*() & noexcept { return *value_; }
    const T &operator*() const & noexcept { return *value_; }
    T &&operator*() && noexcept { return *std::move(value_); }
    T *operator->() noexcept { return &*value_; }
    const T *operator->() const noexcept { return &*value_; }

    T &value() & { return check(), *value_; }
    const T &value() const & { return check(), *value_; }
    T &&value() && { return check(), *std::move(value_); }

    template <class U>
    T value_or(U &&otherwise) const &
    {
        return value_ ? *value_ : static_cast<T>(std::forward<U>(otherwise));
    }

    const failure &error() const noexcept { return why_; }

private:
    void check() const
    {
        if (!value_) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
            throw conversion_error(why_);
#else
            std::abort();
#endif
        }
    }

    std::optional<T> value_;
    failure why_;
};

namespace detail {

static_assert(sizeof(char16_t) == sizeof(std::uint16_t) && alignof(char16_t) == alignof(std::uint16_t));
static_assert(sizeof(char32_t) == sizeof(std::uint32_t) && alignof(char32_t) == alignof(std::uint32_t));

inline const std::uint16_t *units(const char16_t *text) noexcept
{
    return reinterpret_cast<const std::uint16_t *>(text);
}
inline std::uint16_t *units(char16_t *text) noexcept
{
    return reinterpret_cast<std::uint16_t *>(text);
}
inline const std::uint32_t *units(const char32_t *text) noexcept
{
    return reinterpret_cast<const std::uint32_t *>(text);
}
inline std::uint32_t *units(char32_t *text) noexcept
{
    return reinterpret_cast<std::uint32_t *>(text);
}

/* The ways of standard libraries to make a string longer without filling it first: that of C++23, that of libstdc++ before,
 * that of libc++ before. */
struct any_writer {
    template <class C>
    std::size_t operator()(C *, std::size_t n) const noexcept
    {
        return n;
    }
};
template <class S, class = void>
struct can_overwrite : std::false_type {};
template <class S>
struct can_overwrite<S, std::void_t<decltype(std::declval<S &>().resize_and_overwrite(0, any_writer()))>> : std::true_type {};
template <class S, class = void>
struct can_overwrite_already : std::false_type {};
template <class S>
struct can_overwrite_already<S, std::void_t<decltype(std::declval<S &>().__resize_and_overwrite(0, any_writer()))>>
    : std::true_type {};
template <class S, class = void>
struct can_leave_uninitialised : std::false_type {};
template <class S>
struct can_leave_uninitialised<S, std::void_t<decltype(std::declval<S &>().__resize_default_init(0))>> : std::true_type {};

/* Makes a string of what `write(data, capacity)` writes; it returns the length. */
template <class S, class F>
void overwrite(S &text, std::size_t capacity, F write)
{
    if constexpr (can_overwrite<S>::value) {
        text.resize_and_overwrite(capacity, write);
    } else if constexpr (can_overwrite_already<S>::value) {
        text.__resize_and_overwrite(capacity, write);
    } else if constexpr (can_leave_uninitialised<S>::value) {
        text.__resize_default_init(capacity);
        text.resize(write(text.data(), capacity));
    } else {
        text.resize(capacity);
        text.resize(write(text.data(), capacity));
    }
}

/* The outcome of a conversion into a new string with room for `capacity`. */
template <class S, class F>
fastutf_conversion convert(S &text, std::size_t capacity, F conversion)
{
    fastutf_conversion out = {};
    overwrite(text, capacity, [&](typename S::value_type *data, std::size_t) {
        out = conversion(data, capacity);
        return out.written;
    });
    return out;
}

template <class S, class F>
result<S> strict(std::size_t capacity, F conversion)
{
    S text;
    fastutf_conversion out = convert(text, capacity, conversion);
    if (out.status != FASTUTF_OK)
        return failure{out.read, out.status, out.error, out.error_length};
    return result<S>(std::move(text));
}

template <class S, class F>
S lossy(std::size_t capacity, F conversion)
{
    S text;
    convert(text, capacity, conversion);
    return text;
}

} // namespace detail

/* Is it well-formed? */

inline fastutf_check validate(std::string_view text) noexcept
{
    return fastutf_validate_utf8(text.data(), text.size());
}
inline fastutf_check validate(std::u16string_view text) noexcept
{
    return fastutf_validate_utf16(detail::units(text.data()), text.size());
}
inline fastutf_check validate_utf16le(bytes text) noexcept
{
    return fastutf_validate_utf16le(text.data(), text.size());
}
inline fastutf_check validate_utf16be(bytes text) noexcept
{
    return fastutf_validate_utf16be(text.data(), text.size());
}
inline bool is_valid(std::string_view text) noexcept
{
    return validate(text).status == FASTUTF_OK;
}
inline bool is_valid(std::u16string_view text) noexcept
{
    return validate(text).status == FASTUTF_OK;
}
inline bool is_ascii(std::string_view text) noexcept
{
    return fastutf_is_ascii(text.data(), text.size());
}

/* How long is it? */

inline std::size_t count_chars(std::string_view text) noexcept
{
    return fastutf_count_chars_utf8(text.data(), text.size());
}
inline std::size_t count_chars(std::u16string_view text) noexcept
{
    return fastutf_count_chars_utf16(detail::units(text.data()), text.size());
}
inline std::size_t utf16_length(std::string_view text) noexcept
{
    return fastutf_utf16_length_from_utf8(text.data(), text.size());
}
inline std::size_t utf8_length(std::u16string_view text) noexcept
{
    return fastutf_utf8_length_from_utf16(detail::units(text.data()), text.size());
}

/* Is it well-formed, how long is it, and what is the narrowest form that holds it? */
inline fastutf_info info(std::string_view text) noexcept
{
    return fastutf_utf8_info(text.data(), text.size());
}
inline fastutf_info info(std::u16string_view text) noexcept
{
    return fastutf_utf16_info(detail::units(text.data()), text.size());
}

/* Conversions: into a new string, which gets exactly the memory that it needs. */

inline result<std::u16string> to_utf16(std::string_view text)
{
    return detail::strict<std::u16string>(utf16_length(text), [=](char16_t *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf16(text.data(), text.size(), detail::units(dst), capacity);
    });
}
inline std::u16string to_utf16_lossy(std::string_view text)
{
    std::size_t length = fastutf_utf16_length_from_utf8_lossy(text.data(), text.size());
    return detail::lossy<std::u16string>(length, [=](char16_t *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf16_lossy(text.data(), text.size(), detail::units(dst), capacity);
    });
}
inline result<std::string> to_utf8(std::u16string_view text)
{
    return detail::strict<std::string>(utf8_length(text), [=](char *dst, std::size_t capacity) {
        return fastutf_utf16_to_utf8(detail::units(text.data()), text.size(), dst, capacity);
    });
}
inline std::string to_utf8_lossy(std::u16string_view text)
{
    std::size_t length = fastutf_utf8_length_from_utf16_lossy(detail::units(text.data()), text.size());
    return detail::lossy<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_utf16_to_utf8_lossy(detail::units(text.data()), text.size(), dst, capacity);
    });
}
/* UTF-8 with U+FFFD in place of ill-formed sequences. */
inline std::string repaired(std::string_view text)
{
    std::size_t length = fastutf_utf8_length_from_utf8_lossy(text.data(), text.size());
    return detail::lossy<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf8_lossy(text.data(), text.size(), dst, capacity);
    });
}

inline result<std::string> utf16le_to_utf8(bytes text)
{
    std::size_t length = fastutf_utf8_length_from_utf16le(text.data(), text.size());
    return detail::strict<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_utf16le_to_utf8(text.data(), text.size(), dst, capacity);
    });
}
inline std::string utf16le_to_utf8_lossy(bytes text)
{
    std::size_t length = fastutf_utf8_length_from_utf16le_lossy(text.data(), text.size());
    return detail::lossy<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_utf16le_to_utf8_lossy(text.data(), text.size(), dst, capacity);
    });
}
inline result<std::string> utf16be_to_utf8(bytes text)
{
    std::size_t length = fastutf_utf8_length_from_utf16be(text.data(), text.size());
    return detail::strict<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_utf16be_to_utf8(text.data(), text.size(), dst, capacity);
    });
}
inline std::string utf16be_to_utf8_lossy(bytes text)
{
    std::size_t length = fastutf_utf8_length_from_utf16be_lossy(text.data(), text.size());
    return detail::lossy<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_utf16be_to_utf8_lossy(text.data(), text.size(), dst, capacity);
    });
}
/* The bytes of UTF-16LE and UTF-16BE. */
inline result<std::string> utf8_to_utf16le(std::string_view text)
{
    return detail::strict<std::string>(2 * utf16_length(text), [=](char *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf16le(text.data(), text.size(), dst, capacity);
    });
}
inline result<std::string> utf8_to_utf16be(std::string_view text)
{
    return detail::strict<std::string>(2 * utf16_length(text), [=](char *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf16be(text.data(), text.size(), dst, capacity);
    });
}

inline std::string latin1_to_utf8(std::string_view text)
{
    std::size_t length = fastutf_utf8_length_from_latin1(text.data(), text.size());
    return detail::lossy<std::string>(length, [=](char *dst, std::size_t capacity) {
        return fastutf_latin1_to_utf8(text.data(), text.size(), dst, capacity);
    });
}
inline std::u16string latin1_to_utf16(std::string_view text)
{
    return detail::lossy<std::u16string>(text.size(), [=](char16_t *dst, std::size_t capacity) {
        return fastutf_latin1_to_utf16(text.data(), text.size(), detail::units(dst), capacity);
    });
}
inline result<std::string> utf8_to_latin1(std::string_view text)
{
    return detail::strict<std::string>(count_chars(text), [=](char *dst, std::size_t capacity) {
        return fastutf_utf8_to_latin1(text.data(), text.size(), dst, capacity);
    });
}
inline result<std::string> utf16_to_latin1(std::u16string_view text)
{
    return detail::strict<std::string>(text.size(), [=](char *dst, std::size_t capacity) {
        return fastutf_utf16_to_latin1(detail::units(text.data()), text.size(), dst, capacity);
    });
}

/* UTF-32: each character as its number. */

inline fastutf_check validate(std::u32string_view text) noexcept
{
    return fastutf_validate_utf32(detail::units(text.data()), text.size());
}
inline bool is_valid(std::u32string_view text) noexcept
{
    return validate(text).status == FASTUTF_OK;
}
inline std::size_t utf8_length(std::u32string_view text) noexcept
{
    return fastutf_utf8_length_from_utf32(detail::units(text.data()), text.size());
}
inline std::size_t utf16_length(std::u32string_view text) noexcept
{
    return fastutf_utf16_length_from_utf32(detail::units(text.data()), text.size());
}
inline result<std::u32string> to_utf32(std::string_view text)
{
    return detail::strict<std::u32string>(count_chars(text), [=](char32_t *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf32(text.data(), text.size(), detail::units(dst), capacity);
    });
}
inline std::u32string to_utf32_lossy(std::string_view text)
{
    std::size_t most = fastutf_utf16_length_from_utf8_lossy(text.data(), text.size());
    return detail::lossy<std::u32string>(most, [=](char32_t *dst, std::size_t capacity) {
        return fastutf_utf8_to_utf32_lossy(text.data(), text.size(), detail::units(dst), capacity);
    });
}
inline result<std::u32string> to_utf32(std::u16string_view text)
{
    return detail::strict<std::u32string>(count_chars(text), [=](char32_t *dst, std::size_t capacity) {
        return fastutf_utf16_to_utf32(detail::units(text.data()), text.size(), detail::units(dst), capacity);
    });
}
inline std::u32string to_utf32_lossy(std::u16string_view text)
{
    return detail::lossy<std::u32string>(text.size(), [=](char32_t *dst, std::size_t capacity) {
        return fastutf_utf16_to_utf32_lossy(detail::units(text.data()), text.size(), detail::units(dst), capacity);
    });
}
inline result<std::string> to_utf8(std::u32string_view text)
{
    return detail::strict<std::string>(utf8_length(text), [=](char *dst, std::size_t capacity) {
        return fastutf_utf32_to_utf8(detail::units(text.data()), text.size(), dst, capacity);
    });
}
inline std::string to_utf8_lossy(std::u32string_view text)
{
    return detail::lossy<std::string>(utf8_length(text), [=](char *dst, std::size_t capacity) {
        return fastutf_utf32_to_utf8_lossy(detail::units(text.data()), text.size(), dst, capacity);
    });
}
inline result<std::u16string> to_utf16(std::u32string_view text)
{
    return detail::strict<std::u16string>(utf16_length(text), [=](char16_t *dst, std::size_t capacity) {
        return fastutf_utf32_to_utf16(detail::units(text.data()), text.size(), detail::units(dst), capacity);
    });
}
inline std::u16string to_utf16_lossy(std::u32string_view text)
{
    return detail::lossy<std::u16string>(utf16_length(text), [=](char16_t *dst, std::size_t capacity) {
        return fastutf_utf32_to_utf16_lossy(detail::units(text.data()), text.size(), detail::units(dst), capacity);
    });
}
inline std::u32string latin1_to_utf32(std::string_view text)
{
    return detail::lossy<std::u32string>(text.size(), [=](char32_t *dst, std::size_t capacity) {
        return fastutf_latin1_to_utf32(text.data(), text.size(), detail::units(dst), capacity);
    });
}
inline result<std::string> utf32_to_latin1(std::u32string_view text)
{
    return detail::strict<std::string>(text.size(), [=](char *dst, std::size_t capacity) {
        return fastutf_utf32_to_latin1(detail::units(text.data()), text.size(), dst, capacity);
    });
}

#if defined(__cpp_char8_t)
/* char8_t, from C++20 on. */
inline std::string_view as_chars(std::u8string_view text) noexcept
{
    return {reinterpret_cast<const char *>(text.data()), text.size()};
}
inline fastutf_check validate(std::u8string_view text) noexcept
{
    return validate(as_chars(text));
}
inline bool is_valid(std::u8string_view text) noexcept
{
    return is_valid(as_chars(text));
}
inline result<std::u16string> to_utf16(std::u8string_view text)
{
    return to_utf16(as_chars(text));
}
#endif

/* Text in chunks that are cut anywhere. */

class validator {
public:
    explicit validator(fastutf_encoding encoding) noexcept { fastutf_validator_init(&state_, encoding); }

    fastutf_stream_check push(bytes chunk) noexcept
    {
        return fastutf_validator_push(&state_, chunk.data(), chunk.size());
    }
    fastutf_stream_check finish() const noexcept { return fastutf_validator_finish(&state_); }

private:
    fastutf_validator state_ = {};
};

class transcoder {
public:
    /* `flags`: FASTUTF_LOSSY or FASTUTF_WEB, and at most one of FASTUTF_STRIP_BOM, FASTUTF_UTF16_BOM, FASTUTF_UTF32_BOM,
     * FASTUTF_DETECT_BOM, FASTUTF_DETECT_ANY_BOM. Flags that do not go together make every call fail with FASTUTF_BAD_STATE. */
    transcoder(fastutf_encoding from, fastutf_encoding to, std::uint32_t flags = 0) noexcept
    {
        fastutf_transcoder_init(&state_, from, to, flags);
    }

    /* What a lossy conversion to Latin-1 writes for what it replaces, instead of a question mark. */
    void latin1_replacement(char byte) noexcept
    {
        fastutf_transcoder_set_latin1_replacement(&state_, static_cast<std::uint8_t>(byte));
    }

    fastutf_stream_conversion convert(bytes chunk, void *dst, std::size_t capacity) noexcept
    {
        return fastutf_transcoder_convert(&state_, chunk.data(), chunk.size(), dst, capacity);
    }
    fastutf_stream_conversion finish(void *dst, std::size_t capacity) noexcept
    {
        return fastutf_transcoder_finish(&state_, dst, capacity);
    }

    /* The same, to the end of a string. Returns false at the first error, with the text before it appended. */
    bool append(bytes chunk, std::string &dst)
    {
        const char *src = static_cast<const char *>(chunk.data());
        std::size_t rest = chunk.size();
        return grow(dst, rest, [&](char *room, std::size_t capacity) {
            fastutf_stream_conversion out = fastutf_transcoder_convert(&state_, src, rest, room, capacity);
            src += out.read;
            rest -= out.read;
            return out;
        });
    }
    bool finish(std::string &dst)
    {
        return grow(dst, 0, [&](char *room, std::size_t capacity) {
            return fastutf_transcoder_finish(&state_, room, capacity);
        });
    }

    /* Why `append` or `finish` returned false. */
    const failure &error() const noexcept { return why_; }
    /* What the output's encoding does not have, after FASTUTF_NOT_LATIN1 and FASTUTF_UNPAIRED_SURROGATE; otherwise 0. */
    char32_t character() const noexcept { return fastutf_transcoder_character(&state_); }
    std::uint64_t replacements() const noexcept { return fastutf_transcoder_replacements(&state_); }
    fastutf_encoding encoding() const noexcept { return fastutf_transcoder_encoding(&state_); }

private:
    template <class F>
    bool grow(std::string &dst, std::size_t expected, F step)
    {
        for (;;) {
            std::size_t before = dst.size(), room = expected + 16;
            fastutf_stream_conversion out = {};
            detail::overwrite(dst, before + room, [&](char *data, std::size_t) {
                out = step(data + before, room);
                return before + out.written;
            });
            if (out.status == FASTUTF_OK)
                return true;
            if (out.status != FASTUTF_OUTPUT_FULL) {
                why_ = failure{out.position, out.status, out.error, out.error_length};
                return false;
            }
            expected = expected < 16 ? 32 : expected;
        }
    }

    fastutf_transcoder state_ = {};
    failure why_;
};

} // namespace fastutf

#endif
