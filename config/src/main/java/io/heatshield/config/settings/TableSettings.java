package io.heatshield.config.settings;

import io.heatshield.action.Mode;
import io.heatshield.config.value.Cidr;
import io.heatshield.config.value.Rate;
import io.heatshield.config.value.TouchRate;
import io.heatshield.contest.DistinctSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table of the busiest clients, and the rules that act on them. */
public record TableSettings(
    @Setting(name = true, doc = "The table's name, unique among tables.") String name,
    @Setting(
            value = "remote_address",
            live = true,
            doc = "The descriptor entry that the table counts; a change clears the table.")
        String key,
    @Setting(value = "null", doc = "Counts distinct targets of a client; absent: does not.")
        @Nullable Cardinality cardinality,
    @Setting(
            value = "50000",
            min = "1",
            max = "10000000",
            live = true,
            doc =
                "The maximum number of clients in the table; if it is lowered, the highest"
                    + " rates are kept.")
        int slots,
    @Setting(
            value = "60s",
            min = "1s",
            max = "1h",
            live = true,
            doc =
                "The time in which a client's rate decays by the factor e, and after which an"
                    + " idle client may be replaced by any other.")
        Duration window,
    @Setting(
            value = "4",
            min = "0",
            max = "64",
            live = true,
            doc =
                "The number of random clients that a new client of a full table is compared"
                    + " with; 0 takes them in turn.")
        int probes,
    @Setting(value = "[]", max = "32", doc = "The rules for clients.") List<Rule> rules,
    @Setting(
            value = "[127.0.0.0/8]",
            max = "1024",
            live = true,
            doc = "Addresses and networks that no rule applies to.")
        List<Cidr> trusted,
    @Setting(
            value = "10000",
            min = "1",
            max = "10000000",
            live = true,
            doc =
                "The maximum number of blocked clients; beyond it no client is blocked, which"
                    + " is reported.")
        int maxBlocks,
    @Setting(
            value = "10s",
            above = "0s",
            max = "1d",
            live = true,
            doc = "The minimum time between two log lines of one rule about one client.")
        Duration logInterval,
    @Setting(
            value = "false",
            live = true,
            doc = "Whether clients and blocks are saved in server.state_dir for a restart.")
        boolean persist) {

  /** The estimate of a client's distinct targets. */
  public record Cardinality(
      @Setting(
              value = "path",
              live = true,
              doc = "The descriptor entry whose distinct values are counted.")
          String of,
      @Setting(
              value = "256",
              min = "64",
              max = "65536",
              live = true,
              doc = "The bits of a client's estimate, a multiple of 64; more can count higher.")
          int bits,
      @Setting(value = "1/s", live = true, doc = "How fast bits are forgotten; 0/s: never.")
          Rate leak) {

    /** Returns the parameters of core. */
    public DistinctSettings counting() {
      double perSecond = leak.perSecond();
      Duration pause =
          perSecond == 0 ? Duration.ZERO : Duration.ofNanos(Math.round(1e9 / perSecond));
      return new DistinctSettings(bits, pause);
    }
  }

  /** An action for clients that meet a condition. */
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
              doc = "How long a block lasts.")
          Duration blockFor,
      @Setting(value = "observe", live = true, doc = "Whether the rule is applied.") Mode mode) {}

  /** The condition of a rule; all given parts must hold. */
  public record Condition(
      @Setting(
              value = "null",
              live = true,
              doc =
                  "The rate above which the rule applies, in whole touches per second, or as"
                      + " 30/m.")
          @Nullable TouchRate rateAbove,
      @Setting(
              value = "null",
              min = "1",
              max = "2147483646",
              live = true,
              doc = "The touches allowed in a burst; absent: those of one second at the rate.")
          @Nullable Long burst,
      @Setting(
              value = "null",
              min = "0",
              live = true,
              doc = "The distinct targets above which the rule applies.")
          @Nullable Long cardinalityAbove) {}

  /** An action of a rule: write to the log, or block the client for a time. */
  public enum Action {
    LOG,
    BLOCK
  }
}
