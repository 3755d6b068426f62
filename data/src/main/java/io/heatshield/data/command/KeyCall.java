package io.heatshield.data.command;

import io.heatshield.redisbloom.Structure;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.store.View;
import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/** One run of a command on its keys: the words, and what the store shows of the keys. */
public final class KeyCall {
  private final Command command;
  private final byte[][] words;
  private final View view;
  private final OpenStore store;
  private final boolean sure;

  /**
   * Creates a call.
   *
   * @param sure whether what it changes is not taken back any more, so that structures may be
   *     changed where they are
   */
  KeyCall(Command command, byte[][] words, View view, OpenStore store, boolean sure) {
    this.command = command;
    this.words = words;
    this.view = view;
    this.store = store;
    this.sure = sure;
  }

  /** Returns the number of words, the name included. */
  public int count() {
    return words.length;
  }

  /** Returns a word. */
  public byte[] word(int place) {
    return words[place];
  }

  /** Returns a word that is a whole number. */
  public long integer(int place) {
    return Words.integer(words[place]);
  }

  /** Returns whether a word is an option, in any case. */
  public boolean is(int place, String option) {
    return Words.is(words[place], option);
  }

  /** Returns the keys. */
  public View view() {
    return view;
  }

  /** Returns the time that ends are held against, in Unix milliseconds. */
  public long now() {
    return view.nowMillis();
  }

  /** Returns what the key at a place holds, whatever it is, or null. */
  public @Nullable Value value(int place) {
    return view.get(words[place]);
  }

  /** Returns the string that the key at a place holds, or null; anything else is refused. */
  public @Nullable Value string(int place) {
    Value value = view.get(words[place]);
    if (value != null && value.type() != Value.STRING) {
      throw new Refused(Refused.WRONG_TYPE);
    }
    return value;
  }

  /** Sets what the key at a place holds. */
  public void put(int place, Value value) {
    view.put(words[place], value);
  }

  /** Sets the bytes of the key at a place and leaves the end that it had. */
  public void keep(int place, @Nullable Value before, byte[] bytes) {
    view.put(words[place], before == null ? Value.of(bytes) : before.with(bytes));
  }

  /** Refuses a string that would be longer than the store takes. */
  public void checkLength(long bytes) {
    if (bytes > store.maxValueBytes()) {
      throw new Refused("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    }
  }

  /** Returns the store. */
  OpenStore store() {
    return store;
  }

  /** Returns the structure that the key at a place holds, or null; anything else is refused. */
  <T extends Structure> @Nullable T structure(int place, StructureKind kind, Class<T> type) {
    Value value = view.get(words[place]);
    if (value == null) {
      return null;
    }
    if (value.type() != kind.tag()) {
      throw new Refused(Refused.WRONG_TYPE);
    }
    if (value.structure() == null) {
      throw new Refused("ERR the value is damaged");
    }
    return type.cast(value.structure());
  }

  /** Returns a structure to be changed: the one that the key holds, or a copy of it. */
  <T extends Structure> T own(T held, Class<T> type) {
    return sure ? held : type.cast(held.copy());
  }

  /** Lets the key at a place hold a structure, which may be the one that it held. */
  void put(int place, StructureKind kind, Structure structure) {
    Value before = view.get(words[place]);
    view.put(
        words[place], before == null ? Value.of(kind.tag(), structure) : before.with(structure));
  }

  /** Returns whether a structure of so many bytes may take so many more. */
  boolean mayTake(long has, long more) {
    return more <= store.maxStructureBytes() - has && more <= store.store().room();
  }

  /** Returns the refusal of an end that cannot be. */
  RuntimeException invalidExpire() {
    return new Refused("ERR invalid expire time in '" + command.name() + "' command");
  }

  /** Returns the refusal of a call with too few or too many words. */
  RuntimeException wrongCount() {
    return new Refused(command.wrongCount());
  }
}
