package io.heatshield.shield;

import java.util.Arrays;

/** The places of the keys of one command, and which of them it may change; used again and again. */
final class Places {
  private static final int MOST = 1 << 16;

  private int[] places = new int[8];
  private int size;

  void clear() {
    size = 0;
  }

  void add(int place, boolean write) {
    if (size == places.length) {
      if (size >= MOST) {
        return;
      }
      places = Arrays.copyOf(places, 2 * size);
    }
    places[size++] = write ? -place : place;
  }

  int size() {
    return size;
  }

  int place(int index) {
    return Math.abs(places[index]);
  }

  boolean isWrite(int index) {
    return places[index] < 0;
  }
}
