import { describe, expect, test } from "vitest";
import {
  confusableKey,
  confusableKeysAgainst,
  hasNonAsciiLetters,
  isPrintableName,
  skeleton,
  collapseSpaces,
} from "./name-rules.ts";

const accepted: [string, string][] = [
  ["plain", "Maya"],
  ["blank inside", "Ana María"],
  ["spaces at the ends", "  Maya  "],
  ["ASCII marks", 'O\'Brien-Smith (x) <b> & "q" #1 @home'],
  ["digits only", "1984"],
  ["accents, composed", "Zoë"],
  ["accents, in parts", "Zoe\u0308"],
  ["Vietnamese", "Nguyễn Thị Mỹ Linh"],
  ["Turkish", "Işıl Yıldız"],
  ["sharp s", "Weiß"],
  ["final sigma", "Οδυσσεύς"],
  ["Cyrillic", "Дмитро Їжак"],
  ["Hebrew with points", "שָׁלוֹם"],
  ["geresh after Hebrew", "צ׳רלי"],
  ["Arabic", "محمد علي"],
  ["Persian with ZWNJ", "می\u200Cخواهم"],
  ["Persian, ZWNJ after a mark", "بِ\u200Cها"],
  ["Hindi", "महेश"],
  ["Hindi, ZWJ after virama", "क्\u200Dष"],
  ["Hindi, ZWNJ after virama", "क्\u200Cष"],
  ["Sinhala, ZWJ", "ශ්\u200Dරී"],
  ["Tamil", "தமிழ்"],
  ["Thai", "สมชาย ใจดี"],
  ["Khmer", "សុខា"],
  ["Burmese", "အောင်ဆန်း"],
  ["Korean", "김철수"],
  ["Korean in parts", "김철수".normalize("NFD")],
  ["Chinese", "李小龍"],
  ["Chinese beyond the first plane", "𠮷野家"],
  ["Japanese", "なかがわ・ケン"],
  ["ideographic space", "山田\u3000太郎"],
  ["no-break space", "Ana\u00A0María"],
  ["fullwidth", "Ｍａｙａ"],
  ["Ethiopic", "አበበ"],
  ["Cherokee", "ᏣᎳᎩ"],
  ["emoji", "Bob 😀"],
  ["emoji only", "🎉🎉"],
  ["emoji, skin", "Bob 👍🏽"],
  ["emoji, ZWJ", "👩🏽\u200D💻 Ada"],
  ["emoji, family", "👨\u200D👩\u200D👧\u200D👦 Smith"],
  ["emoji, VS16", "Bob ❤\uFE0F"],
  ["emoji, rainbow flag", "🏳\uFE0F\u200D🌈 Sam"],
  ["emoji, flag of letters", "🇵🇹 Rui"],
  ["emoji, flag of tags", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} Jo"],
  ["emoji, keycap", "Player 1\uFE0F\u20E3"],
  ["heart without VS16", "Bob ❤"],
  ["symbols", "€uro ∞ ©"],
  ["Catalan middle dot", "Col·legi l·l"],
  ["typographic apostrophe", "D’Arcy – the 2nd"],
];

const refused: [string, string][] = [
  ["B6: a dot above an i, which is drawn like an i alone", "Amara Osei\u0307"],
  ["B6: a dot above a dotless i", "Adm\u0131\u0307n"],
  ["B6: a dot above a j, behind another mark", "Anj\u0323\u0307a"],
  ["NUL", "Ma\0ya"],
  ["newline", "Ma\nya"],
  ["newline at the end", "Maya\n"],
  ["carriage return at the start", "\rMaya"],
  ["tab", "Ma\tya"],
  ["escape", "\u001B[31mMaya"],
  ["delete", "Maya\u007F"],
  ["next line (C1)", "Ma\u0085ya"],
  ["line separator", "Ma\u2028ya"],
  ["line separator at the end", "Maya\u2028"],
  ["paragraph separator", "Ma\u2029ya"],
  ["zero-width space", "Ma\u200Bya"],
  ["ZWNJ between Latin", "Ma\u200Cya"],
  ["ZWJ between Latin", "Ma\u200Dya"],
  ["ZWNJ at the end of Persian", "می\u200C"],
  ["ZWNJ after a letter that does not join", "دا\u200Cد"],
  ["two ZWNJ", "می\u200C\u200Cخواهم"],
  ["ZWJ at the end of Hindi", "क्\u200D"],
  ["ZWJ between emoji that do not join", "🍕\u200D🍕"],
  ["ZWJ after an emoji", "👩\u200Da"],
  ["word joiner", "Ma\u2060ya"],
  ["byte order mark", "\uFEFFMaya"],
  ["soft hyphen", "Ma\u00ADya"],
  ["grapheme joiner", "Ma\u034Fya"],
  ["bidi mark LRM", "Maya\u200E"],
  ["bidi mark RLM", "Maya\u200F"],
  ["bidi mark ALM", "Maya\u061C"],
  ["bidi override", "\u202Eayam"],
  ["bidi embedding", "\u202AMaya\u202C"],
  ["bidi isolate", "\u2066Maya\u2069"],
  ["tag characters", "Maya\u{E0041}\u{E0042}"],
  ["tags after a wrong base", "😀\u{E0067}\u{E007F}"],
  ["VS16 after a letter", "Ma\uFE0Fya"],
  ["VS15", "❤\uFE0E"],
  ["variation selector 17", "葛\u{E0100}"],
  ["Mongolian selector", "ᠠ\u180B"],
  ["Mongolian vowel separator", "ᠠ\u180Eᠠ"],
  ["Hangul filler", "\u3164\u3164"],
  ["halfwidth filler", "Ma\uFFA0ya"],
  ["old jamo", "\u1113\u1161x"],
  ["invisible times", "a\u2062b"],
  ["musical format", "a\u{1D173}b"],
  ["interlinear mark", "a\uFFF9b"],
  ["Arabic number sign (format)", "\u0600\u0661"],
  ["private use", "Ma\uE000ya"],
  ["private use, plane 16", "Ma\u{10FFFD}ya"],
  ["unassigned", "Ma\u0378ya"],
  ["noncharacter", "Ma\uFDD0ya"],
  ["noncharacter FFFF", "Ma\uFFFFya"],
  ["half a pair", "Ma\uD800ya"],
  ["braille blank", "\u2800\u2800"],
  ["object replacement character", "Ad\uFFFCmin"],
  ["Egyptian blank", "Admin\u{13441}"],
  ["mark first", "\u0308Maya"],
  ["nothing but spaces", " \u3000 "],
  ["tatweel", "مـحمد"],
  ["middle dot elsewhere", "a·b"],
  ["katakana dot in Latin", "a・b"],
  ["geresh after Latin", "a׳"],
  ["two sets of Arabic digits", "\u0661\u06F1"],
];

const collide: [string, string][] = [
  ["Аdmin", "Admin"], // Cyrillic А
  ["аdmin", "ADMIN"], // Cyrillic а, compared with capitals
  ["ADMІN", "admin"], // Cyrillic І
  ["Admіn", "Admin"],
  ["АDМІN", "Admin"],
  ["Αdmin", "Admin"], // Greek Α
  ["ΝICK", "Nick"], // Greek Ν
  ["Вob", "BOB"], // Cyrillic В
  ["раураl", "paypal"],
  ["pаypaI", "paypal"], // Cyrillic а, capital i
  ["SaІІy", "Sally"], // Cyrillic І as l
  ["mаya", "rnaya"], // Cyrillic а: m and rn count
  ["Μaya", "Maya"], // Greek Μ
  ["ＡＤＭІＮ", "admin"], // fullwidth with Cyrillic І
  ["ſacebook", "facebook"], // long s
  ["⍺dmin", "admin"], // APL alpha, a symbol that looks like a letter
  ["℮mma", "emma"],
  ["ꓮdmin", "Admin"], // Lisu
  ["ᎪNNA", "anna"], // Cherokee
  ["Rоbоt 1", "Robot l"],
  ["J0sé", "José"],
  ["می\u200Cخواهم", "میخواهم"],
  ["Аna 😀", "Ana 😀"],
  ["օliver", "oliver"], // Armenian
];

const distinct: [string, string][] = [
  ["modern", "rnodern"],
  ["Alice", "AIice"], // ASCII only: capital i
  ["b0b", "bob"],
  ["user1", "userl"],
  ["Mom – 1", "Mom – l"], // a dash is not a letter
  ["Bob 😀", "Bob 🎉"],
  ["José", "Jose"],
  ["Zoë", "Zoe"],
  ["Müller", "Muller"],
  ["Łukasz", "Lukasz"],
  ["Øystein", "Oystein"],
  ["Анна", "Anna"],
  ["Renée Nan", "Renée Van"],
  ["Иван", "Иванна"],
  ["李小龍", "李小龙"],
  ["Σοφία", "Sofia"],
  ["Дмитро", "Dmitro"],
  ["김철수", "김철호"],
];

const areConfusable = (one: string, other: string) =>
  confusableKeysAgainst(one).includes(confusableKey(other));

describe("name rules", () => {
  test.each(accepted)("accepted: %s", (_, name) => expect(isPrintableName(name)).toBe(true));
  test.each(refused)("refused: %s", (_, name) => expect(isPrintableName(name)).toBe(false));
  test.each(collide)("%s collides with %s", (one, other) => {
    expect(areConfusable(one, other)).toBe(true);
    expect(areConfusable(other, one)).toBe(true);
  });
  test.each(distinct)("%s does not collide with %s", (one, other) => {
    expect(areConfusable(one, other)).toBe(false);
    expect(areConfusable(other, one)).toBe(false);
  });

  test("more than 60 examples", () =>
    expect(accepted.length + refused.length + collide.length + distinct.length).toBeGreaterThan(60));

  test("collapseSpaces", () => {
    expect(collapseSpaces("\u3000山田\u3000\u00A0太郎 ")).toBe("山田 太郎");
    expect(collapseSpaces("👩🏽\u200D💻  Ada")).toBe("👩🏽\u200D💻 Ada");
  });

  test("skeleton", () => {
    expect(skeleton("раураl")).toBe("paypal");
    expect(skeleton("m")).toBe("rn");
    for (const text of ["Аdmin", "ｍоdеrn", "Ѵова"]) expect(skeleton(skeleton(text))).toBe(skeleton(text));
  });

  test("confusable keys", () => {
    expect(confusableKey("Admin")).toBe("-adrnln");
    expect(confusableKey("Аdmin")).toBe("+adrnln");
    expect(confusableKeysAgainst("Admin")).toEqual(["+adrnln"]);
    expect(confusableKeysAgainst("Аdmin")).toEqual(["+adrnln", "-adrnln"]);
    expect(hasNonAsciiLetters("Bob 😀 – ’")).toBe(false);
    expect(confusableKey(confusableKey("x").slice(1))).toBe("-x");
  });
});
