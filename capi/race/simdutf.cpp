/* The loops of race.c over simdutf's functions. It takes no capacity: the room is large enough. */
#include <simdutf.h>

struct text { const char *utf8; const char16_t *utf16; size_t bytes, units; };
struct room { char *utf8; char16_t *utf16; size_t capacity; };

#define LOOP(name, body) \
    extern "C" size_t simdutf_##name(const text *texts, size_t count, const room *room) \
    { \
        size_t sum = 0; \
        (void)room; \
        for (const struct text *text = texts; text < texts + count; text++) \
            body \
        return sum; \
    }

LOOP(validate_utf8, {
    simdutf::result out = simdutf::validate_utf8_with_errors(text->utf8, text->bytes);
    sum += out.count;
})
LOOP(validate_utf16, {
    simdutf::result out = simdutf::validate_utf16_with_errors(text->utf16, text->units);
    sum += out.count;
})
LOOP(utf16_length_from_utf8, { sum += simdutf::utf16_length_from_utf8(text->utf8, text->bytes); })
LOOP(utf8_to_utf16, {
    simdutf::result out = simdutf::convert_utf8_to_utf16_with_errors(text->utf8, text->bytes, room->utf16);
    sum += out.count + (out.error == simdutf::SUCCESS);
})
LOOP(utf16_to_utf8, {
    simdutf::result out = simdutf::convert_utf16_to_utf8_with_errors(text->utf16, text->units, room->utf8);
    sum += out.count + (out.error == simdutf::SUCCESS);
})
LOOP(utf16le_to_utf8, {
    simdutf::result out = simdutf::convert_utf16le_to_utf8_with_errors(text->utf16, text->units, room->utf8);
    sum += out.count + (out.error == simdutf::SUCCESS);
})
