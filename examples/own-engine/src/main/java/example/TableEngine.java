package example;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** The engine of a guarded store that keeps its keys in a table of a database. */
final class TableEngine implements Engine {
  private final Connection database;
  private final AtomicLong reads = new AtomicLong();

  TableEngine(String url) throws SQLException {
    database = DriverManager.getConnection(url);
    try (Statement create = database.createStatement()) {
      create.execute(
          "CREATE TABLE entries (name VARBINARY(65536) PRIMARY KEY, type TINYINT, bytes BLOB,"
              + " expires BIGINT)");
    }
  }

  /** Returns how many reads have reached the database. */
  long reads() {
    return reads.get();
  }

  /** {@code DISK}: only this process writes, and a call may block. */
  @Override
  public Location location() {
    return Location.DISK;
  }

  @Override
  public CompletionStage<Value> get(byte[] key) {
    return call(() -> read(key));
  }

  /** Makes all changes in one transaction. */
  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    return call(
        () -> {
          database.setAutoCommit(false);
          try {
            for (Batch.Change change : batch.changes()) {
              write(change.key(), change.after());
            }
            database.commit();
            return true;
          } catch (SQLException e) {
            database.rollback();
            throw e;
          } finally {
            database.setAutoCommit(true);
          }
        });
  }

  @Override
  public synchronized void forEachKey(Predicate<byte[]> sink) {
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name FROM entries")) {
      while (rows.next() && sink.test(rows.getBytes(1))) {
        // The sink decides how far to go.
      }
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }

  @Override
  public void close() {
    try {
      database.close();
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }

  private Value read(byte[] key) throws SQLException {
    reads.incrementAndGet();
    try (PreparedStatement select =
        database.prepareStatement("SELECT type, bytes, expires FROM entries WHERE name = ?")) {
      select.setBytes(1, key);
      ResultSet row = select.executeQuery();
      return row.next() ? Value.of(row.getByte(1), row.getBytes(2), row.getLong(3)) : null;
    }
  }

  private void write(byte[] key, Value after) throws SQLException {
    if (after == null) {
      try (PreparedStatement delete =
          database.prepareStatement("DELETE FROM entries WHERE name = ?")) {
        delete.setBytes(1, key);
        delete.executeUpdate();
      }
      return;
    }
    try (PreparedStatement merge =
        database.prepareStatement("MERGE INTO entries VALUES (?, ?, ?, ?)")) {
      merge.setBytes(1, key);
      merge.setByte(2, after.type());
      merge.setBytes(3, after.bytes());
      merge.setLong(4, after.expiresAt());
      merge.executeUpdate();
    }
  }

  /** Runs a call on the connection; a stage fails with a {@code StoreException}. */
  private synchronized <T> CompletionStage<T> call(DatabaseCall<T> call) {
    try {
      return CompletableFuture.completedFuture(call.run());
    } catch (SQLException e) {
      return CompletableFuture.failedFuture(unavailable(e));
    }
  }

  private static StoreException unavailable(SQLException e) {
    return new StoreException(StoreException.Reason.UNAVAILABLE, e.getMessage());
  }

  /** A call to the database. */
  private interface DatabaseCall<T> {
    T run() throws SQLException;
  }
}
