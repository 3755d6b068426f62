package io.heatshield.data.command;

import io.heatshield.redisbloom.Structure;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.store.View;
import io.heatshield.store.engine.StructureValues;
import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/** One execution of a command on its keys, with a view of the store. */
public final class KeyCall extends Arguments {
  private final View view;
  private final OpenStore store;
  private final boolean inPlace;

  /**
   * Creates a call.
   *
   * @param inPlace whether changes are never rolled back, so that data structures may be changed in
   *     place
   */
  public KeyCall(Command command, byte[][] args, View view, OpenStore store, boolean inPlace) {
    super(command, args);
    this.view = view;
    this.store = store;
    this.inPlace = inPlace;
  }

  public OpenStore store() {
    return store;
  }

  /** Returns the time that expiry times are compared with, in Unix milliseconds. */
  public long now() {
    return view.nowMillis();
  }

  /** Returns the value of the key at an index, of any type, or null. */
  public @Nullable Value value(int index) {
    return view.get(arg(index));
  }

  /** Returns the string value of the key at an index, or null; fails for other types. */
  public @Nullable Value string(int index) {
    Value value = value(index);
    if (value != null && value.type() != Value.STRING) {
      throw new CommandException(CommandException.WRONG_TYPE);
    }
    return value;
  }

  /** Returns the data structure of the key at an index, or null; fails for other types. */
  public <T extends Structure> @Nullable T structure(int index, StructureKind kind, Class<T> type) {
    Value value = value(index);
    if (value == null) {
      return null;
    }
    if (value.type() != kind.tag()) {
      throw new CommandException(CommandException.WRONG_TYPE);
    }
    if (StructureValues.structure(value) == null) {
      throw new CommandException("ERR the value is damaged");
    }
    return type.cast(StructureValues.structure(value));
  }

  /** Returns a data structure that may be changed: the one of the key, or a copy of it. */
  public <T extends Structure> T modifiable(T structure, Class<T> type) {
    return inPlace ? structure : type.cast(structure.copy());
  }

  /** Sets the value of the key at an index. */
  public void put(int index, Value value) {
    view.put(arg(index), value);
  }

  /** Sets the bytes of the key at an index and keeps its expiry time. */
  public void put(int index, @Nullable Value before, byte[] bytes) {
    put(index, before == null ? Value.of(bytes) : before.with(bytes));
  }

  /** Sets the data structure of the key at an index and keeps its expiry time. */
  public void put(int index, StructureKind kind, Structure structure) {
    Value before = value(index);
    put(
        index,
        before == null
            ? StructureValues.of(kind.tag(), structure)
            : StructureValues.with(before, structure));
  }

  /** Deletes the key at an index; returns whether it existed. */
  public boolean delete(int index) {
    return view.delete(arg(index));
  }

  /** Fails if a string would be longer than the store allows. */
  public void checkLength(long bytes) {
    if (bytes > store.maxValueBytes()) {
      throw new CommandException("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    }
  }

  /** Returns whether a data structure of a size may grow by a number of bytes. */
  public boolean mayGrow(long bytes, long more) {
    return more <= store.maxStructureBytes() - bytes && more <= store.store().room();
  }

  /** Returns the error of an expiry time out of range. */
  public CommandException invalidExpire() {
    return new CommandException("ERR invalid expire time in '" + command().name() + "' command");
  }
}
