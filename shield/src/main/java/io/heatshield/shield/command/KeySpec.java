package io.heatshield.shield.command;

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
 * @param keyword the word before the first key, or null if the first key has a fixed position
 * @param first the position of the first key, or where the search for the keyword starts; negative
 *     from the end
 * @param counted whether a word gives the number of keys
 * @param last the distance from the first key to the last, from the end if negative; if counted,
 *     the distance from the first position to the number
 * @param step the distance from key to key
 * @param extra if above 1, only the first 1/extra of the words are keys; if counted, the distance
 *     from the first position to the first key
 * @param write whether the keys may be changed
 */
public record KeySpec(
    @Nullable String keyword,
    int first,
    boolean counted,
    int last,
    int step,
    int extra,
    boolean write) {

  /** The positions of the keys of one command, and which of them it may write; reusable. */
  public static final class Positions {
    private static final int MAX_KEYS = 1 << 16;

    private int[] positions = new int[8];
    private int size;

    /** Finds the keys of a command. */
    public void find(UpstreamCommand command, RequestScanner words) {
      size = 0;
      List<KeySpec> specs = command.keys();
      for (int i = 0; i < specs.size(); i++) {
        specs.get(i).find(words, this);
      }
    }

    private void add(int position, boolean write) {
      if (size == positions.length) {
        if (size >= MAX_KEYS) {
          return;
        }
        positions = Arrays.copyOf(positions, 2 * size);
      }
      positions[size++] = write ? -position : position;
    }

    public int size() {
      return size;
    }

    public int position(int index) {
      return Math.abs(positions[index]);
    }

    public boolean isWrite(int index) {
      return positions[index] < 0;
    }
  }

  /** Returns the spec of keys at fixed positions, as servers before Redis 7 describe them. */
  static KeySpec at(int first, int last, int step, boolean write) {
    return new KeySpec(null, first, false, last >= 0 ? last - first : last, step, 0, write);
  }

  private void find(RequestScanner words, Positions found) {
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

  /** Parses one key specification of COMMAND; returns null if it describes no key. */
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
