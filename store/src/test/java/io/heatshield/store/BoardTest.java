package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoardTest {
  private final Board board = new Board();
  private final List<String> kept = new ArrayList<>();

  @Test
  void put_ofAKeyThatIsUp_returnsTheFlightThatIs() {
    Board.Flight first = new Board.Flight(key("a", 1));

    assertThat(board.put(first)).isNull();

    assertThat(board.put(new Board.Flight(key("a", 1)))).isSameAs(first);
    assertThat(board.put(new Board.Flight(key("b", 1)))).isNull();
  }

  @Test
  void remove_ofOneOfSeveralInAPlace_leavesTheOthers() {
    Board.Flight a = up("a", 1);
    Board.Flight b = up("b", 2);
    Board.Flight c = up("c", 3);

    board.remove(b);
    board.remove(b);

    assertThat(board.put(new Board.Flight(key("a", 1)))).isSameAs(a);
    assertThat(board.put(new Board.Flight(key("c", 3)))).isSameAs(c);
    assertThat(board.put(new Board.Flight(key("b", 2)))).isNull();
  }

  @Test
  void remove_ofAFlightThatIsOff_leavesTheNextOneOfItsKey() {
    Board.Flight first = up("a", 1);
    board.remove(first);
    Board.Flight next = up("a", 1);

    board.remove(first);

    assertThat(board.put(new Board.Flight(key("a", 1)))).isSameAs(next);
  }

  @Test
  void keep_ofAFlightThatIsUp_keeps() {
    up("a", 1).keep(() -> kept.add("a"));

    assertThat(kept).containsExactly("a");
  }

  @Test
  void drop_ofAKey_takesItsFlightOffAndLetsItKeepNothing() {
    Board.Flight flight = up("a", 1);
    Board.Flight neighbour = up("b", 2);

    board.drop(key("a", 1));
    flight.keep(() -> kept.add("a"));
    neighbour.keep(() -> kept.add("b"));

    assertThat(kept).containsExactly("b");
    assertThat(board.put(new Board.Flight(key("a", 1)))).isNull();
  }

  @Test
  void dropAll_ofSingleAndSeveralFlights_dropsEach() {
    List<Board.Flight> flights = List.of(up("a", 1), up("b", 2), up("c", 7L << 40));

    board.dropAll();
    flights.forEach(flight -> flight.keep(() -> kept.add("any")));

    assertThat(kept).isEmpty();
    assertThat(board.put(new Board.Flight(key("a", 1)))).isNull();
  }

  private Board.Flight up(String name, long hash) {
    Board.Flight flight = new Board.Flight(key(name, hash));
    assertThat(board.put(flight)).isNull();
    return flight;
  }

  private static Key key(String name, long hash) {
    return new Key(new byte[] {(byte) name.charAt(0)}, hash);
  }
}
