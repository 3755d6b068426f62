package io.heatshield.cli.demo;

/** What the demo's touches are handed to. */
@FunctionalInterface
public interface TouchSink {

  /** Takes one touch; the array is shared with later touches of the key and must not be changed. */
  void touch(String scope, byte[] key);
}
