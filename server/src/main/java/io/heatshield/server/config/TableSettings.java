package io.heatshield.server.config;

import io.heatshield.action.Mode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table of the busiest clients, and the rules that act on them. */
public record TableSettings(
    @Setting(name = true, doc = "The table's name, unique among tables.") String name,
    @Setting(value = "remote_address", doc = "The descriptor entry that feeds the table.")
        String key,
    @Setting(value = "null", doc = "Counts distinct targets of a client; absent: does not.")
        @Nullable Cardinality cardinality,
    @Setting(
            value = "50000",
            min = "1",
            max = "10000000",
            doc = "The clients that the table holds at a time.")
        int slots,
    @Setting(value = "60s", min = "1s", max = "1h", doc = "The interval of a client's rate.")
        Duration window,
    @Setting(
            value = "4",
            min = "1",
            max = "16",
            doc = "The places where a client may be kept; more lose fewer and cost time.")
        int probes,
    @Setting(value = "[]", max = "64", doc = "What to do about which clients.") List<Rule> rules,
    @Setting(
            value = "[127.0.0.0/8]",
            max = "1024",
            doc = "Addresses and networks that no rule acts on.")
        List<Cidr> trusted) {

  /** How distinct targets of a client are counted. */
  public record Cardinality(
      @Setting(value = "path", doc = "The descriptor entry whose distinct values count.") String of,
      @Setting(
              value = "256",
              min = "64",
              max = "65536",
              doc = "The bits of a client's estimate; more count further.")
          int bits,
      @Setting(value = "1/s", doc = "How fast old targets are forgotten.") Rate leak) {}

  /** One thing to do about clients that meet a condition. */
  public record Rule(
      @Setting(name = true, doc = "The rule's name, unique in its table.") String name,
      @Setting(value = "{}", doc = "The condition; at least one part must be given.")
          Condition when,
      @Setting(value = "[log, block]", max = "2", live = true, doc = "What to do.")
          List<Action> action,
      @Setting(
              value = "5m",
              above = "0s",
              max = "365d",
              live = true,
              doc = "How long a block holds.")
          Duration blockFor,
      @Setting(value = "observe", live = true, doc = "Whether the rule acts.") Mode mode) {}

  /** When a rule applies: when every part that is given does. */
  public record Condition(
      @Setting(
              value = "null",
              min = "0",
              live = true,
              doc = "The rate, in touches per second, above which the rule applies.")
          @Nullable Long rateAbove,
      @Setting(
              value = "null",
              min = "0",
              live = true,
              doc = "The distinct targets above which the rule applies.")
          @Nullable Long cardinalityAbove) {}

  /** What a rule does. */
  public enum Action {
    /** Writes a line to the log. */
    LOG,
    /** Refuses the client for a while. */
    BLOCK
  }
}
