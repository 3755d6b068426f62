package io.heatshield.runtime.json;

import io.heatshield.key.KeyText;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A strict JSON parser: rejects what two parsers could interpret differently.
 *
 * <p>An object becomes a {@link Map} in the order of its names, an array a {@link List}, text a
 * {@link String}, a number a {@link BigDecimal}, and the rest {@link Boolean} or null. Rejects
 * duplicate names, numbers of more than {@value #MAX_DIGITS} characters, {@code NaN} and infinity,
 * invalid Unicode, nesting deeper than {@value #MAX_DEPTH}, and anything after the value. The
 * caller must bound the size.
 */
public final class JsonReader {
  /** The deepest nesting. */
  public static final int MAX_DEPTH = 32;

  private static final int MAX_DIGITS = 64;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Parses a body.
   *
   * @throws InvalidJsonException if it is not one value of strict JSON; the message has the reason
   *     and the position
   */
  public static @Nullable Object read(byte[] body) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidJsonException("the body must be UTF-8");
    }
    var reader = new JsonReader(text);
    Object value = reader.value(0);
    reader.skipBlanks();
    if (reader.at < text.length()) {
      throw reader.fault("nothing may follow the value");
    }
    return value;
  }

  private @Nullable Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw fault("values must not be nested deeper than " + MAX_DEPTH);
    }
    skipBlanks();
    if (at == text.length()) {
      throw fault("a value is missing");
    }
    char first = text.charAt(at);
    return switch (first) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object(int depth) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    at++;
    if (tryTake('}')) {
      return fields;
    }
    do {
      skipBlanks();
      if (at == text.length() || text.charAt(at) != '"') {
        throw fault("a name in quotes is missing");
      }
      String name = string();
      if (fields.containsKey(name)) {
        throw fault("the name " + KeyText.of(name) + " is duplicated");
      }
      take(':');
      fields.put(name, value(depth + 1));
    } while (tryTake(','));
    take('}');
    return fields;
  }

  private List<@Nullable Object> array(int depth) {
    var items = new ArrayList<@Nullable Object>();
    at++;
    if (tryTake(']')) {
      return items;
    }
    do {
      items.add(value(depth + 1));
    } while (tryTake(','));
    take(']');
    return items;
  }

  private String string() {
    var string = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return unicode(string);
      }
      if (c < 0x20) {
        throw fault("a control character in text must be escaped");
      }
      string.append(c == '\\' ? escaped() : c);
    }
    throw fault("text without closing quote");
  }

  private char escaped() {
    if (at == text.length()) {
      throw fault("text without closing quote");
    }
    char c = text.charAt(at++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex();
      default -> throw fault("unknown escape");
    };
  }

  private char hex() {
    if (at + 4 > text.length()) {
      throw fault("\\u needs four hexadecimal digits");
    }
    int code = 0;
    for (int end = at + 4; at < end; at++) {
      char c = text.charAt(at);
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw fault("\\u needs four hexadecimal digits");
      }
      code = (code << 4) | digit;
    }
    return (char) code;
  }

  private String unicode(StringBuilder string) {
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair = i + 1 < string.length() && Character.isSurrogatePair(c, string.charAt(++i));
        if (!pair) {
          throw fault("unpaired surrogate in text");
        }
      }
    }
    return string.toString();
  }

  private BigDecimal number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(start, Math.min(at, start + MAX_DIGITS + 1));
    if (number.length() > MAX_DIGITS
        || !number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?")) {
      at = start;
      throw fault("not a JSON value");
    }
    return new BigDecimal(number);
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw fault("not a JSON value");
    }
    at += word.length();
    return value;
  }

  private void take(char wanted) {
    if (!tryTake(wanted)) {
      throw fault("a " + wanted + " is missing");
    }
  }

  private boolean tryTake(char wanted) {
    skipBlanks();
    if (at == text.length() || text.charAt(at) != wanted) {
      return false;
    }
    at++;
    return true;
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private InvalidJsonException fault(String what) {
    return new InvalidJsonException(
        "the body is not JSON: " + what + " (at character " + (at + 1) + ")");
  }
}
