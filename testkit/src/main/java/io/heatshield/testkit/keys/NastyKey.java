package io.heatshield.testkit.keys;

/** A key that tends to break code that displays, stores or parses it; its name is safe to print. */
public final class NastyKey {
  private final String name;
  private final byte[] bytes;

  NastyKey(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes.clone();
  }

  /** Returns a description of the key, in letters, digits and spaces. */
  public String name() {
    return name;
  }

  /** Returns a copy of the key. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the name, so that a parameterized test shows it instead of the key. */
  @Override
  public String toString() {
    return name;
  }
}
