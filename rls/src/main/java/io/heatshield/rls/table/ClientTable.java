package io.heatshield.rls.table;

import io.heatshield.action.Mode;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.config.value.IpLiteral;
import io.heatshield.contest.BlockOutcome;
import io.heatshield.contest.BlockTable;
import io.heatshield.contest.BlockedKey;
import io.heatshield.contest.ContestTable;
import io.heatshield.contest.Tracked;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.KeyHash;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One table of the configuration: its busiest clients, their rules, and the blocked clients.
 * Immutable except for its counts; a reload creates another one with the same parts.
 *
 * <p>A touch charges the bucket of every rule, so rules are independent of their order. Exceeded
 * rules then act in order: each logs its line, and the first that blocks ends this. A blocked
 * client charges nothing. A rule in observe records the clients that it would have blocked in a
 * separate table, and such a client charges no observing rule meanwhile: the rules in effect see
 * exactly the touches that they would see without it.
 */
public final class ClientTable {
  private final TableSettings settings;
  private final KeyHash keyHash;
  private final ContestTable clients;
  private final BlockTable blocks;
  private final BlockTable observed;
  private final List<TableRule> rules;
  private final RuleLog log;
  private final @Nullable HotKeyDetector detector;

  ClientTable(
      TableSettings settings,
      KeyHash keyHash,
      ContestTable clients,
      BlockTable blocks,
      BlockTable observed,
      List<TableRule> rules,
      RuleLog log,
      @Nullable HotKeyDetector detector) {
    this.settings = settings;
    this.keyHash = keyHash;
    this.clients = clients;
    this.blocks = blocks;
    this.observed = observed;
    this.rules = List.copyOf(rules);
    this.log = log;
    this.detector = detector;
  }

  public TableSettings settings() {
    return settings;
  }

  public ContestTable clients() {
    return clients;
  }

  /** Returns the blocked clients. */
  public BlockTable blocks() {
    return blocks;
  }

  /** Returns the rule that made a block, if it still exists. */
  public Optional<String> ruleOf(BlockedKey block) {
    return Optional.ofNullable(rule(block.tag())).map(TableRule::name);
  }

  /** Returns the descriptor entry that feeds the table. */
  String entry() {
    return settings.key();
  }

  /** Returns the descriptor entry whose distinct values are counted, or null. */
  @Nullable String targetEntry() {
    TableSettings.Cardinality cardinality = settings.cardinality();
    return cardinality == null ? null : cardinality.of();
  }

  long hash(String key) {
    return keyHash.hash(key);
  }

  List<TableRule> rules() {
    return rules;
  }

  BlockTable observed() {
    return observed;
  }

  RuleLog log() {
    return log;
  }

  /** Returns the refusal of a use by a rule that is in effect, or null. */
  @Nullable Refusal refusal(ClientUse use) {
    BlockedKey block = blocks.find(use.hash, use.key);
    TableRule rule = block == null ? null : rule(block.tag(), Mode.ENFORCE);
    return block == null || rule == null || isTrusted(use.key)
        ? null
        : new Refusal(use, rule, block.left());
  }

  /**
   * Ends the block of a client and forgets its rate and its distinct targets, which would block it
   * again at its next use. Returns false, and does nothing, if the client is not blocked.
   */
  boolean unblock(byte[] key) {
    if (blocks.leftNanos(key) == 0) {
      return false;
    }
    // While the block still holds: no use can exceed a rule by the old counts in between.
    var unused = clients.remove(key);
    boolean unusedToo = observed.lift(key);
    return blocks.lift(key);
  }

  /** Counts a use of a key that is not blocked, and applies the rules. */
  TouchOutcome touch(ClientUse use) {
    if (detector != null) {
      detector.touch(use.key, use.weight);
    }
    if (!(clients.touch(use.hash, use.key, use.weight) instanceof Tracked client)) {
      return TouchOutcome.NOTHING;
    }
    for (String target : use.targets) {
      client.addDistinct(keyHash.hash(target));
    }
    return rules.isEmpty() ? TouchOutcome.NOTHING : act(use, client);
  }

  private TouchOutcome act(ClientUse use, Tracked client) {
    TableRule observing = observing(use);
    long exceeded = client.charge(use.weight, buckets(observing != null));
    for (TableRule rule : rules) {
      Mode mode = rule.mode();
      boolean asked = mode == Mode.ENFORCE || (mode == Mode.OBSERVE && observing == null);
      if (!asked || !rule.isExceeded(exceeded, client)) {
        continue;
      }
      if (isTrusted(use.key)) {
        return TouchOutcome.NOTHING;
      }
      if (!rule.blocks()) {
        note(rule, use, client);
      } else if (block(rule, use, client, mode == Mode.ENFORCE ? blocks : observed)) {
        if (mode == Mode.ENFORCE) {
          return new TouchOutcome(new Refusal(use, rule, rule.blockFor()), observing);
        }
        observing = rule;
      }
    }
    return new TouchOutcome(null, observing);
  }

  /** Returns the rule in observe that would have blocked this key earlier, or null. */
  private @Nullable TableRule observing(ClientUse use) {
    BlockedKey block = observed.find(use.hash, use.key);
    TableRule rule = block == null ? null : rule(block.tag(), Mode.OBSERVE);
    return rule == null || isTrusted(use.key) ? null : rule;
  }

  /** Returns the bits of the buckets that a touch charges. */
  private long buckets(boolean enforcedOnly) {
    long bits = 0;
    for (TableRule rule : rules) {
      Mode mode = rule.mode();
      if (mode == Mode.ENFORCE || (mode == Mode.OBSERVE && !enforcedOnly)) {
        bits |= rule.bucketBit();
      }
    }
    return bits;
  }

  /** Blocks a key, or records that it would be blocked; false if there is no place for it. */
  private boolean block(TableRule rule, ClientUse use, Tracked client, BlockTable where) {
    byte[] key = use.key.getBytes(StandardCharsets.UTF_8);
    BlockOutcome outcome = where.block(use.hash, key, rule.blockFor(), rule.tag());
    if (rule.logs()) {
      String blocked =
          outcome == BlockOutcome.FULL
              ? "not blocked, for all " + settings.maxBlocks() + " places are taken"
              : "blocked for " + rule.blockFor().toSeconds() + " s";
      boolean unused =
          log.write(rule, use, client, where == blocks ? blocked : "in observe, else " + blocked);
    }
    return outcome != BlockOutcome.FULL;
  }

  /** Logs the line of a rule that only logs. */
  private void note(TableRule rule, ClientUse use, Tracked client) {
    if (log.write(rule, use, client, "noted")) {
      boolean unused = rule.action().apply(0);
    }
  }

  private @Nullable TableRule rule(int tag) {
    for (TableRule rule : rules) {
      if (rule.tag() == tag) {
        return rule;
      }
    }
    return null;
  }

  private @Nullable TableRule rule(int tag, Mode mode) {
    TableRule rule = rule(tag);
    return rule == null || rule.mode() != mode ? null : rule;
  }

  /** Called only for clients that a rule is about to act on: parsing an address is slow. */
  private boolean isTrusted(String key) {
    if (settings.trusted().isEmpty()) {
      return false;
    }
    InetAddress address = IpLiteral.parse(key);
    return address != null
        && settings.trusted().stream().anyMatch(network -> network.contains(address));
  }
}
