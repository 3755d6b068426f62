package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The positions of some keys of a command, as Redis 7 describes them.
 *
 * @param keyword the word before the first key, or null if that has a fixed place
 * @param first the place of the first key, or where to begin to look for the keyword: from the end
 *     if negative
 * @param counted whether a word says how many keys there are
 * @param last how far the last key is behind the first, from the end if negative; or how far behind
 *     the first place the number is
 * @param step from key to key
 * @param extra the part of the words that are keys, one in so many, if above 1; or how far behind
 *     the first place the first key is, if counted
 * @param write whether the keys may be changed
 */
record KeySpec(
    @Nullable String keyword,
    int first,
    boolean counted,
    int last,
    int step,
    int extra,
    boolean write) {

  /** The positions of the keys of one command, and which of them it may write; reusable. */
  static final class Positions {
    private static final int MAX_KEYS = 1 << 16;

    private int[] positions = new int[8];
    private int size;

    void clear() {
      size = 0;
    }

    void add(int position, boolean write) {
      if (size == positions.length) {
        if (size >= MAX_KEYS) {
          return;
        }
        positions = Arrays.copyOf(positions, 2 * size);
      }
      positions[size++] = write ? -position : position;
    }

    int size() {
      return size;
    }

    int position(int index) {
      return Math.abs(positions[index]);
    }

    boolean isWrite(int index) {
      return positions[index] < 0;
    }
  }

  /** Returns the spec of keys at fixed places, as older servers describe them. */
  static KeySpec at(int first, int last, int step, boolean write) {
    return new KeySpec(null, first, false, last >= 0 ? last - first : last, step, 0, write);
  }

  /** Adds the places of the keys of a command. */
  void find(RequestScanner words, Positions found) {
    int count = words.count();
    int from = keyword == null ? first : afterKeyword(words, keyword);
    if (from <= 0 || from >= count) {
      return;
    }
    int end;
    if (counted) {
      int number = from + last < count ? words.number(from + last) : -1;
      from += extra;
      if (number < 0 || number > count) {
        return;
      }
      end = from + ((number - 1) * step);
    } else if (last >= 0) {
      end = from + last;
    } else if (extra <= 1) {
      end = count + last;
    } else {
      end = from + ((count - from) / extra) + last;
    }
    for (int i = from; i <= end && i < count; i += step) {
      found.add(i, write);
    }
  }

  private int afterKeyword(RequestScanner words, String wanted) {
    int count = words.count();
    boolean forward = first > 0;
    for (int i = forward ? first : count + first; i > 0 && i < count; i += forward ? 1 : -1) {
      if (words.is(i, wanted)) {
        return i + 1;
      }
    }
    return -1;
  }

  /** Returns what one element of a server's list says, or null if it says nothing of use. */
  static @Nullable KeySpec parse(Object element) {
    Map<String, @Nullable Object> spec = map(element);
    Map<String, @Nullable Object> begin = map(spec.get("begin_search"));
    Map<String, @Nullable Object> find = map(spec.get("find_keys"));
    Map<String, @Nullable Object> start = map(begin.get("spec"));
    Map<String, @Nullable Object> keys = map(find.get("spec"));
    boolean write = true;
    if (spec.get("flags") instanceof List<?> flags) {
      List<String> names = flags.stream().map(KeySpec::text).toList();
      if (names.contains("not_key")) {
        return null;
      }
      write = !names.contains("RO");
    }
    String how = text(begin.get("type"));
    boolean word = how.equals("keyword");
    String finding = text(find.get("type"));
    boolean counted = finding.equals("keynum");
    if ((!word && !how.equals("index")) || (!counted && !finding.equals("range"))) {
      return null;
    }
    return new KeySpec(
        word ? text(start.get("keyword")).toLowerCase(Locale.ROOT) : null,
        word ? number(start.get("startfrom")) : number(start.get("index")),
        counted,
        counted ? number(keys.get("keynumidx")) : number(keys.get("lastkey")),
        Math.max(1, number(keys.get("keystep"))),
        counted ? number(keys.get("firstkey")) : number(keys.get("limit")),
        write);
  }

  static String text(@Nullable Object value) {
    return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
  }

  static int number(@Nullable Object value) {
    return value instanceof Long number ? number.intValue() : 0;
  }

  private static Map<String, @Nullable Object> map(@Nullable Object value) {
    var map = new HashMap<String, @Nullable Object>();
    if (value instanceof List<?> pairs) {
      for (int i = 0; i + 1 < pairs.size(); i += 2) {
        map.put(text(pairs.get(i)), pairs.get(i + 1));
      }
    }
    return map;
  }
}
