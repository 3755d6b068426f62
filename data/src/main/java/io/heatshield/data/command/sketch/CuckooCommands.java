package io.heatshield.data.command.sketch;

import io.heatshield.data.command.ArgumentParser;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.KeyCall;
import io.heatshield.redisbloom.CuckooShape;
import io.heatshield.redisbloom.LayeredCuckoo;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands on cuckoo filters, with the replies of RedisBloom. */
public final class CuckooCommands {
  private static final int CAPACITY = 1024;
  private static final int BUCKET_SIZE = 2;
  private static final int ITERATIONS = 20;
  private static final int EXPANSION = 1;
  static final String NOT_FOUND = "ERR not found";
  private static final String NO_MEMORY = "ERR Insufficient memory to create filter";

  private CuckooCommands() {}

  public static List<Command> all() {
    return new CommandGroup("cuckoo")
        .write(
            "cf.reserve -3 denyoom,+inplace 1.0.0 Creates an empty cuckoo filter.",
            CuckooCommands::reserve)
        .write(
            "cf.add 3 denyoom,+inplace 1.0.0 Adds an item to a cuckoo filter.",
            call -> add(call, false))
        .write(
            "cf.addnx 3 denyoom,+inplace 1.0.0 Adds an item if it is not in the filter.",
            call -> add(call, true))
        .write(
            "cf.insert -4 denyoom,+inplace 1.0.0 Adds items to a cuckoo filter.",
            call -> insert(call, false))
        .write(
            "cf.insertnx -4 denyoom,+inplace 1.0.0 Adds items that are not in the filter.",
            call -> insert(call, true))
        .read("cf.exists 3 - 1.0.0 Returns whether an item may exist.", CuckooCommands::exists)
        .read("cf.mexists -3 - 1.0.0 Returns which items may exist.", CuckooCommands::existMany)
        .read("cf.count 3 - 1.0.0 Estimates how often an item was added.", CuckooCommands::count)
        .write("cf.del 3 denyoom,+inplace 1.0.0 Deletes an item once.", CuckooCommands::delete)
        .write(
            "cf.compact 2 denyoom,+inplace 1.0.0 Moves items to older sub-filters.",
            CuckooCommands::compact)
        .read("cf.info 2 - 1.0.0 Describes a cuckoo filter.", CuckooInfo::info)
        .read("cf.debug 2 - 1.0.0 Describes a cuckoo filter in a line.", CuckooInfo::debug)
        .read("cf.scandump 3 - 1.0.0 Returns a filter in chunks.", CuckooChunks::dump)
        .write(
            "cf.loadchunk 4 denyoom,+inplace 1.0.0 Restores a filter from chunks.",
            CuckooChunks::load)
        .commands();
  }

  /** Returns the filter; fails if there is none. */
  static LayeredCuckoo find(KeyCall call, String missing) {
    LayeredCuckoo filter = find(call);
    if (filter == null) {
      throw new CommandException(missing);
    }
    return filter;
  }

  /** Returns the filter; fails if there is none or if it is still being loaded. */
  static LayeredCuckoo findLoaded(KeyCall call, String missing) {
    return loaded(find(call, missing));
  }

  private static @Nullable LayeredCuckoo find(KeyCall call) {
    return call.structure(1, StructureKind.CUCKOO, LayeredCuckoo.class);
  }

  private static LayeredCuckoo loaded(LayeredCuckoo filter) {
    if (filter.isLoading()) {
      throw new CommandException("ERR the filter is not loaded yet");
    }
    return filter;
  }

  private static Reply reserve(KeyCall call) {
    if (call.count() % 2 == 0) {
      throw call.wrongCount();
    }
    long capacity = call.integer(2, "Bad capacity");
    int iterations = option(call, "maxiterations", ITERATIONS, 1, 65_535);
    int bucketSize = option(call, "bucketsize", BUCKET_SIZE, 1, 255);
    int expansion = option(call, "expansion", EXPANSION, 0, 32_768);
    if (capacity < 2L * bucketSize || capacity > LayeredCuckoo.MAX_CAPACITY) {
      throw new CommandException(
          "Capacity must be in the range [2 * BUCKETSIZE, " + LayeredCuckoo.MAX_CAPACITY + "]");
    }
    CommandException.ifPresent(call.value(1), StructureKind.CUCKOO, "ERR item exists");
    call.put(
        1,
        StructureKind.CUCKOO,
        create(call, new CuckooShape(capacity, bucketSize, iterations, expansion)));
    return Reply.OK;
  }

  private static int option(KeyCall call, String name, int defaultValue, int min, int max) {
    for (int i = 3; i < call.count(); i++) {
      if (call.is(i, name)) {
        String upper = name.toUpperCase(Locale.ROOT);
        String wrong = "Couldn't parse " + upper;
        if (i + 1 == call.count()) {
          throw new CommandException(wrong);
        }
        long value = call.integer(i + 1, wrong);
        if (value < min || value > max) {
          throw new CommandException(
              upper + ": value must be in the range [" + min + ", " + max + "]");
        }
        return (int) value;
      }
    }
    return defaultValue;
  }

  private static LayeredCuckoo create(KeyCall call, CuckooShape shape) {
    if (!call.mayGrow(0, shape.bytes())) {
      throw new CommandException(NO_MEMORY);
    }
    return LayeredCuckoo.create(shape);
  }

  private static Reply add(KeyCall call, boolean onlyIfAbsent) {
    LayeredCuckoo filter = findOrCreate(call, CAPACITY, true);
    LayeredCuckoo.Added added = add(call, filter, call.arg(2), onlyIfAbsent);
    if (added == LayeredCuckoo.Added.FULL) {
      throw new CommandException("Filter is full");
    }
    if (added == LayeredCuckoo.Added.NO_MEMORY) {
      throw new CommandException("ERR Insufficient memory");
    }
    if (added == LayeredCuckoo.Added.ADDED) {
      call.put(1, StructureKind.CUCKOO, filter);
    }
    return Reply.of(added == LayeredCuckoo.Added.ADDED);
  }

  private static Reply insert(KeyCall call, boolean onlyIfAbsent) {
    long capacity = CAPACITY;
    boolean create = true;
    int items = 2;
    for (boolean more = true; more; items++) {
      if (items == call.count()) {
        throw call.wrongCount();
      }
      byte[] arg = call.arg(items);
      switch (arg.length == 0 ? 0 : ArgumentParser.lower(arg[0])) {
        case 'c' -> {
          if (++items == call.count()) {
            throw call.wrongCount();
          }
          capacity = call.integer(items, "Bad capacity");
          if (capacity < 2 * BUCKET_SIZE || capacity > LayeredCuckoo.MAX_CAPACITY) {
            throw new CommandException(
                "Capacity must be in the range [cf-bucket-size * 2, "
                    + LayeredCuckoo.MAX_CAPACITY
                    + "]");
          }
        }
        case 'n' -> create = false;
        case 'i' -> more = false;
        default -> throw new CommandException("Unknown argument received");
      }
    }
    if (items == call.count()) {
      throw call.wrongCount();
    }
    LayeredCuckoo filter = findOrCreate(call, capacity, create);
    var replies = new ArrayList<Reply>();
    boolean changed = call.value(1) == null;
    for (int i = items; i < call.count(); i++) {
      LayeredCuckoo.Added added = add(call, filter, call.arg(i), onlyIfAbsent);
      changed |= added == LayeredCuckoo.Added.ADDED;
      replies.add(inserted(added, onlyIfAbsent));
    }
    if (changed) {
      call.put(1, StructureKind.CUCKOO, filter);
    }
    return Reply.array(replies);
  }

  private static Reply inserted(LayeredCuckoo.Added added, boolean onlyIfAbsent) {
    return switch (added) {
      case ADDED -> onlyIfAbsent ? Reply.ONE : Reply.of(true);
      case PRESENT -> onlyIfAbsent ? Reply.ZERO : Reply.of(false);
      default -> onlyIfAbsent ? Reply.of(-1L) : Reply.either(Reply.of(-1L), Reply.of(false));
    };
  }

  private static LayeredCuckoo.Added add(
      KeyCall call, LayeredCuckoo filter, byte[] item, boolean onlyIfAbsent) {
    return filter.add(filter.hash(item), onlyIfAbsent, more -> call.mayGrow(filter.bytes(), more));
  }

  /** Returns the filter for a change, or a new one with default parameters. */
  private static LayeredCuckoo findOrCreate(KeyCall call, long capacity, boolean create) {
    LayeredCuckoo filter = find(call);
    if (filter != null) {
      return call.modifiable(loaded(filter), LayeredCuckoo.class);
    }
    if (!create) {
      throw new CommandException(NOT_FOUND);
    }
    return create(call, new CuckooShape(capacity, BUCKET_SIZE, ITERATIONS, EXPANSION));
  }

  private static Reply exists(KeyCall call) {
    return exists(find(call), call.arg(2));
  }

  private static Reply existMany(KeyCall call) {
    LayeredCuckoo filter = find(call);
    var replies = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      replies.add(exists(filter, call.arg(i)));
    }
    return Reply.array(replies);
  }

  private static Reply exists(@Nullable LayeredCuckoo filter, byte[] item) {
    return Reply.of(filter != null && loaded(filter).contains(filter.hash(item)));
  }

  private static Reply count(KeyCall call) {
    LayeredCuckoo filter = find(call);
    return Reply.of(filter == null ? 0L : loaded(filter).count(filter.hash(call.arg(2))));
  }

  private static Reply delete(KeyCall call) {
    LayeredCuckoo filter = call.modifiable(findLoaded(call, "Not found"), LayeredCuckoo.class);
    boolean deleted = filter.delete(filter.hash(call.arg(2)));
    if (deleted) {
      call.put(1, StructureKind.CUCKOO, filter);
    }
    return Reply.of(deleted);
  }

  private static Reply compact(KeyCall call) {
    LayeredCuckoo filter =
        call.modifiable(findLoaded(call, "Cuckoo filter was not found"), LayeredCuckoo.class);
    filter.compact();
    call.put(1, StructureKind.CUCKOO, filter);
    return Reply.OK;
  }
}
