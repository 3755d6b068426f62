package io.heatshield.web.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decodes the percent-encoded paths and queries of requests. */
final class PercentDecoder {
  private PercentDecoder() {}

  /**
   * Decodes a segment of a path, in which {@code +} is literal.
   *
   * @throws BadRequestException if a {@code %} is not followed by two hexadecimal digits
   */
  static byte[] bytes(String encoded) {
    return decode(encoded, false);
  }

  /**
   * Decodes the parameters of a query, in order.
   *
   * @throws BadRequestException if the encoding is malformed, or a name is not UTF-8 or not unique
   */
  static Map<String, byte[]> query(String query) {
    var parameters = new LinkedHashMap<String, byte[]>();
    for (String pair : query.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = text(decode(equals < 0 ? pair : pair.substring(0, equals), true));
      byte[] value = equals < 0 ? new byte[0] : decode(pair.substring(equals + 1), true);
      if (parameters.put(name, value) != null) {
        throw new BadRequestException("a query parameter must not be given twice");
      }
    }
    return parameters;
  }

  /**
   * Decodes UTF-8.
   *
   * @throws BadRequestException if they are not UTF-8
   */
  static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadRequestException("a parameter must be UTF-8");
    }
  }

  private static byte[] decode(String encoded, boolean plusIsSpace) {
    var bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        bytes.write(digit(encoded, i + 1) << 4 | digit(encoded, i + 2));
        i += 2;
      } else {
        bytes.write(c == '+' && plusIsSpace ? ' ' : c);
      }
    }
    return bytes.toByteArray();
  }

  private static int digit(String encoded, int i) {
    int digit = i < encoded.length() ? Character.digit(encoded.charAt(i), 16) : -1;
    if (digit < 0) {
      throw new BadRequestException("a % must be followed by two hexadecimal digits");
    }
    return digit;
  }
}
