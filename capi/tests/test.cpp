/* The C++ header: what it adds to fastutf.h, which test.c tests. */
#include <fastutf.hpp>

#include <array>
#include <cstdio>
#include <vector>

#define CHECK(...) \
    do { \
        if (!(__VA_ARGS__)) { \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::exit(1); \
        } \
    } while (0)

using namespace std::string_literals;
using namespace std::string_view_literals;

static void whole_texts()
{
    const std::string all = "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80";
    const std::u16string all16 = u"na\u00EFve \u20AC \U0001F600";
    CHECK(fastutf::is_valid(all) && fastutf::is_valid(all16) && fastutf::is_valid(""sv) && fastutf::is_valid(u""sv));
    CHECK(fastutf::is_valid(std::string_view()) && fastutf::is_ascii(std::string_view()));
    CHECK(!fastutf::is_valid("\xC0\xAF"sv) && !fastutf::is_valid(u"\xDC00"sv));
    CHECK(fastutf::validate("ab\xC0"sv).position == 2 && fastutf::validate("ab\xC0"sv).error == FASTUTF_UTF8_OVERLONG);
    CHECK(fastutf::count_chars(all) == 9 && fastutf::count_chars(all16) == 9);
    CHECK(fastutf::utf16_length(all) == 10 && fastutf::utf8_length(all16) == all.size());
    CHECK(*fastutf::to_utf16(all) == all16 && *fastutf::to_utf8(all16) == all);
    CHECK(fastutf::to_utf16_lossy("a\xFF\xE2\x82!"sv) == u"a\uFFFD\uFFFD!");
    CHECK(fastutf::to_utf8_lossy(u"a\xDC00!"sv) == "a\xEF\xBF\xBD!");
    CHECK(fastutf::repaired("a\xFF!"sv) == "a\xEF\xBF\xBD!");

    /* Bytes: of strings, arrays, vectors, and pointers. */
    const std::string le = *fastutf::utf8_to_utf16le(all), be = *fastutf::utf8_to_utf16be(all);
    CHECK(le.size() == 20 && *fastutf::utf16le_to_utf8(le) == all && *fastutf::utf16be_to_utf8(be) == all);
    CHECK(*fastutf::utf16be_to_utf8(std::array<unsigned char, 2>{0, 'z'}) == "z");
    CHECK(*fastutf::utf16le_to_utf8(std::vector<std::uint8_t>{'z', 0}) == "z");
    CHECK(*fastutf::utf16le_to_utf8({le.data(), 2}) == "n" && fastutf::validate_utf16le(le).status == FASTUTF_OK);
    CHECK(fastutf::validate_utf16be(std::vector<char>{0}).error == FASTUTF_UTF16_TRAILING_BYTE);
    CHECK(fastutf::utf16le_to_utf8_lossy("z\0\0\xDC"sv) == "z\xEF\xBF\xBD");
    CHECK(fastutf::utf16be_to_utf8_lossy("\0z\xDC\0"sv) == "z\xEF\xBF\xBD");

    CHECK(fastutf::latin1_to_utf8("caf\xE9") == "caf\xC3\xA9" && fastutf::latin1_to_utf16("caf\xE9") == u"caf\u00E9");
    CHECK(*fastutf::utf8_to_latin1("caf\xC3\xA9") == "caf\xE9" && *fastutf::utf16_to_latin1(u"caf\u00E9") == "caf\xE9");
    CHECK(fastutf::utf8_to_latin1("5 \xE2\x82\xAC").error().error == FASTUTF_NOT_LATIN1);
    CHECK(fastutf::info(all).width == FASTUTF_WIDTH_FULL && fastutf::info(all).utf16_length == 10);
    CHECK(fastutf::info(u"na\u00EFve"sv).width == FASTUTF_WIDTH_LATIN1 && fastutf::info(u"\xDC00"sv).width == FASTUTF_WIDTH_UNKNOWN);

    const std::u32string all32 = U"na\u00EFve \u20AC \U0001F600";
    CHECK(*fastutf::to_utf32(all) == all32 && *fastutf::to_utf32(all16) == all32 && fastutf::is_valid(all32));
    CHECK(*fastutf::to_utf8(all32) == all && *fastutf::to_utf16(all32) == all16);
    CHECK(fastutf::utf8_length(all32) == all.size() && fastutf::utf16_length(all32) == all16.size());
    CHECK(fastutf::to_utf32_lossy("a\xFF"sv) == U"a\uFFFD" && fastutf::to_utf32_lossy(u"a\xDC00"sv) == U"a\uFFFD");
    const std::u32string wrong32 = {U'a', char32_t(0xD800), char32_t(0x110000)};
    CHECK(fastutf::validate(wrong32).position == 1 && fastutf::validate(wrong32).error == FASTUTF_UTF32_SURROGATE);
    CHECK(!fastutf::to_utf8(wrong32) && fastutf::to_utf16(wrong32).error().position == 1);
    CHECK(fastutf::to_utf8_lossy(wrong32) == "a\xEF\xBF\xBD\xEF\xBF\xBD" && fastutf::to_utf16_lossy(wrong32) == u"a\uFFFD\uFFFD");
    CHECK(fastutf::latin1_to_utf32("caf\xE9") == U"caf\u00E9" && *fastutf::utf32_to_latin1(U"caf\u00E9") == "caf\xE9");
    CHECK(fastutf::utf32_to_latin1(U"5 \u20AC").error().error == FASTUTF_NOT_LATIN1);
#if defined(__cpp_char8_t)
    CHECK(*fastutf::to_utf16(u8"na\u00EFve"sv) == u"na\u00EFve" && fastutf::is_valid(u8"\u20AC"sv));
#endif
}

/* Every length from nothing to beyond a string's own memory, and what cannot be converted. */
static void lengths()
{
    for (std::size_t n = 0; n < 200; n++) {
        std::string text;
        std::u16string text16;
        for (std::size_t i = 0; i < n; i++) {
            text += i % 3 ? "x" : "\xE2\x82\xAC";
            text16 += i % 3 ? u"x" : u"\u20AC";
        }
        CHECK(*fastutf::to_utf16(text) == text16 && *fastutf::to_utf8(text16) == text);
        CHECK(fastutf::to_utf16_lossy(text) == text16 && fastutf::to_utf8_lossy(text16) == text);
        auto wrong = fastutf::to_utf16(text + "\xFF");
        CHECK(!wrong && !wrong.has_value() && wrong.error().position == text.size() && wrong.error().length == 1);
        CHECK(wrong.error().what() == "invalid lead byte"sv && wrong.value_or(u"?") == u"?");
    }
}

static void results()
{
    auto fine = fastutf::to_utf16("abc");
    CHECK(fine && fine->size() == 3 && fine.value() == u"abc");
    std::u16string moved = fastutf::to_utf16("abc").value();
    CHECK(moved == u"abc");
#if defined(__cpp_exceptions)
    bool thrown = false;
    try {
        moved = fastutf::to_utf16("ab\xC3").value();
    } catch (const fastutf::conversion_error &error) {
        thrown = error.why().position == 2 && error.what() == "incomplete sequence at end of input at 2"sv;
    }
    CHECK(thrown && moved == u"abc");
#endif
}

static void streams()
{
    fastutf::validator validator(FASTUTF_UTF8);
    CHECK(validator.push("na\xC3"sv).status == FASTUTF_OK && validator.finish().status == FASTUTF_INVALID);
    CHECK(validator.push("\xAF"sv).position == 4 && validator.finish().status == FASTUTF_OK);

    fastutf::transcoder transcoder(FASTUTF_UTF16LE, FASTUTF_UTF8, FASTUTF_UTF16_BOM);
    std::string text = "> ", long_text, bytes = "\xFE\xFF"s;
    for (int i = 0; i < 3000; i++) {
        long_text += "\xE2\x82\xAC";
        bytes += "\x20\xAC";
    }
    for (char byte : bytes)
        CHECK(transcoder.append({&byte, 1}, text));
    CHECK(transcoder.finish(text) && text == "> " + long_text && transcoder.encoding() == FASTUTF_UTF16BE);
    text.clear();
    transcoder = fastutf::transcoder(FASTUTF_UTF16LE, FASTUTF_UTF8, FASTUTF_UTF16_BOM);
    CHECK(transcoder.append(bytes, text) && transcoder.finish(text) && text == long_text);

    transcoder = fastutf::transcoder(FASTUTF_UTF8, FASTUTF_UTF8);
    text.clear();
    CHECK(!transcoder.append("ab\xFFz"sv, text) && text == "ab" && transcoder.error().position == 2);
    CHECK(transcoder.error().error == FASTUTF_UTF8_INVALID_LEAD && !transcoder.finish(text));
    transcoder = fastutf::transcoder(FASTUTF_UTF8, FASTUTF_UTF8, FASTUTF_LOSSY);
    CHECK(transcoder.append("\xF0\x9F"sv, text) && transcoder.finish(text) && text == "ab\xEF\xBF\xBD");
    CHECK(transcoder.replacements() == 1);

    transcoder = fastutf::transcoder(FASTUTF_UTF8, FASTUTF_LATIN1);
    text.clear();
    CHECK(!transcoder.append("5 \xE2\x82\xAC"sv, text) && text == "5 " && transcoder.error().error == FASTUTF_NOT_LATIN1);
    CHECK(transcoder.character() == U'\u20AC');
    transcoder = fastutf::transcoder(FASTUTF_UTF8, FASTUTF_LATIN1, FASTUTF_LOSSY);
    transcoder.latin1_replacement('\xBF');
    text.clear();
    CHECK(transcoder.append("5 \xE2\x82\xAC"sv, text) && transcoder.finish(text) && text == "5 \xBF");
    transcoder = fastutf::transcoder(FASTUTF_UTF16LE, FASTUTF_WTF8);
    text.clear();
    CHECK(transcoder.append("\0\xDC"sv, text) && transcoder.finish(text) && text == "\xED\xB0\x80");
    char buffer[4];
    transcoder = fastutf::transcoder(FASTUTF_UTF8, FASTUTF_UTF16BE);
    CHECK(transcoder.convert("zz"sv, buffer, 3).written == 2 && transcoder.finish(buffer, 4).status == FASTUTF_OK);
    transcoder = fastutf::transcoder(FASTUTF_UTF8, FASTUTF_UTF8, 128);
    CHECK(!transcoder.append("a"sv, text) && transcoder.error().status == FASTUTF_BAD_STATE);
}

int main()
{
    whole_texts();
    lengths();
    results();
    streams();
    std::puts("ok: fastutf.hpp");
}
