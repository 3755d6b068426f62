package io.heatshield.store.redis;

import io.heatshield.store.engine.Value;
import java.util.Arrays;

/**
 * The format of values in Redis strings: plain bytes as they are, other types with a mark of 8
 * bytes and their type in front.
 *
 * <p>Plain bytes that begin like the mark also get the mark in front, with the type of plain bytes,
 * so that no string written by a client is read as another type.
 */
final class TypedString {
  private static final byte[] MARK = {0, 'H', 'S', 't', 'y', 'p', 'e', 0};
  private static final int HEAD = MARK.length + 1;

  private TypedString() {}

  static byte[] of(Value value) {
    if (value.type() == Value.STRING && !isMarked(value.bytes())) {
      return value.bytes();
    }
    byte[] form = Arrays.copyOf(MARK, HEAD + value.bytes().length);
    form[MARK.length] = value.type();
    System.arraycopy(value.bytes(), 0, form, HEAD, value.bytes().length);
    return form;
  }

  static Value read(byte[] form, long expiresAt) {
    return isMarked(form) && form.length >= HEAD
        ? Value.of(form[MARK.length], Arrays.copyOfRange(form, HEAD, form.length), expiresAt)
        : Value.of(Value.STRING, form, expiresAt);
  }

  /** Returns the type of the value whose string starts with these bytes. */
  static byte type(byte[] start) {
    return isMarked(start) && start.length >= HEAD ? start[MARK.length] : Value.STRING;
  }

  private static boolean isMarked(byte[] bytes) {
    return bytes.length >= MARK.length
        && Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
  }
}
