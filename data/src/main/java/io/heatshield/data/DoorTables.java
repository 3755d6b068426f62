package io.heatshield.data;

import io.heatshield.contest.Standing;
import io.heatshield.data.command.TableAccess;
import io.heatshield.key.KeyText;
import io.heatshield.rls.table.ClientTable;
import io.heatshield.rls.table.ServerTables;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The tables of the server, for the commands of the data door. */
final class DoorTables implements TableAccess {
  private final ServerTables tables;

  DoorTables(ServerTables tables) {
    this.tables = tables;
  }

  @Override
  public Optional<Long> touch(String table, byte[] key, long weight, byte @Nullable [] of) {
    return tables
        .find(table)
        .map(
            found -> {
              ServerTables.Refused refused =
                  tables.touch(found, text(key), weight, of == null ? null : text(of));
              return refused == null ? 0L : TimeUnit.SECONDS.toMillis(refused.seconds());
            });
  }

  @Override
  public Optional<List<Entry>> top(String table, int n) {
    return tables
        .find(table)
        .map(found -> found.clients().top(n).stream().map(one -> entry(found, one)).toList());
  }

  @Override
  public Optional<Long> blockedMillis(String table, byte[] key) {
    return tables
        .find(table)
        .map(
            found -> {
              long nanos = found.blocks().leftNanos(key);
              return nanos == 0 ? 0L : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
            });
  }

  private static Entry entry(ClientTable table, Standing client) {
    boolean counts = table.settings().cardinality() != null;
    return new Entry(
        KeyText.of(client.key()), client.rate(), counts ? client.distinct().estimate() : -1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
