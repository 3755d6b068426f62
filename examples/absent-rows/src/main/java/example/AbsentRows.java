package example;

import io.heatshield.filter.AddResult;
import io.heatshield.filter.CuckooFilter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** A table of users. Queries for users that do not exist never reach the database. */
public final class AbsentRows {
  private final Connection database;
  private final CuckooFilter filter =
      CuckooFilter.builder().expectedItems(100_000).falsePositiveRate(0.001).build();
  private int queries;

  private AbsentRows(Connection database) {
    this.database = database;
  }

  public static void main(String[] args) throws SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:h2:mem:users")) {
      var users = new AbsentRows(database);
      users.createTable();
      for (long id = 1; id <= 1_000; id++) {
        users.insert(id, "user " + id);
      }

      for (long id = 1_000_001; id <= 1_001_000; id++) {
        users.find(id);
      }
      System.out.println("at most 10 of 1,000 absent users queried: " + (users.queries <= 10));
      System.out.println("user 7: " + users.find(7).orElse("absent"));
      users.delete(7);
      System.out.println("user 7 after its deletion: " + users.find(7).orElse("absent"));
    }
  }

  private void createTable() throws SQLException {
    try (var statement = database.createStatement()) {
      statement.execute("CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(100))");
    }
  }

  /** Inserts a row. The filter gets the key before the table does, so it never misses one. */
  private synchronized void insert(long id, String name) throws SQLException {
    AddResult added = filter.add(id, () -> exists(id));
    if (!added.accepted()) {
      throw new IllegalStateException("the filter is full: " + added);
    }
    try (PreparedStatement insert =
        database.prepareStatement("MERGE INTO users VALUES (?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, name);
      insert.executeUpdate();
    }
  }

  private Optional<String> find(long id) throws SQLException {
    if (!filter.mightContain(id)) {
      return Optional.empty();
    }
    queries++;
    try (PreparedStatement select =
        database.prepareStatement("SELECT name FROM users WHERE id = ?")) {
      select.setLong(1, id);
      ResultSet row = select.executeQuery();
      return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
    }
  }

  /** Deletes a row, and then its key from the filter. */
  private synchronized void delete(long id) {
    filter.remove(id, () -> deleteRow(id));
  }

  private boolean exists(long id) {
    try {
      return find(id).isPresent();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean deleteRow(long id) {
    try (PreparedStatement delete =
        database.prepareStatement("DELETE FROM users WHERE id = ?")) {
      delete.setLong(1, id);
      return delete.executeUpdate() == 1;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
