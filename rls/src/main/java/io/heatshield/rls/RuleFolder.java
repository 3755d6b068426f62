package io.heatshield.rls;

import io.heatshield.key.KeyText;
import io.heatshield.limit.rule.RuleSet;
import io.heatshield.limit.yaml.LoadResult;
import io.heatshield.limit.yaml.RuleFault;
import io.heatshield.limit.yaml.RuleFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of rule files, read once at the start and again whenever something in it was saved:
 * whole, or not at all.
 *
 * <p>A new state of the folder counts once two polls in a row see the same, so files that are still
 * being written are not taken for complete ones. Any thread may poll; polls run one after the
 * other.
 */
final class RuleFolder {
  private static final Logger log = LoggerFactory.getLogger(RuleFolder.class);
  private static final int MAX_LOGGED_FAULTS = 50;

  private final Path folder;
  private final boolean mergeDomains;
  private final Consumer<RuleSet> taken;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private FolderPrint settled;
  private @Nullable FolderPrint candidate;

  /**
   * Creates the watch over a folder that nobody has read yet.
   *
   * @param taken is given every set of rules that was read without a fault
   */
  RuleFolder(Path folder, boolean mergeDomains, Consumer<RuleSet> taken) {
    this.folder = folder;
    this.mergeDomains = mergeDomains;
    this.taken = taken;
    this.settled = FolderPrint.of(folder);
  }

  /** Reads the folder and returns what is wrong with it; the rules are taken if nothing is. */
  synchronized List<RuleFault> load() {
    LoadResult result = RuleFiles.load(folder, mergeDomains);
    if (result instanceof LoadResult.Valid valid) {
      taken.accept(valid.rules());
      loads.incrementAndGet();
      return List.of();
    }
    errors.incrementAndGet();
    return ((LoadResult.Invalid) result).faults();
  }

  /** Looks whether the folder was saved, and takes its rules or keeps the old ones. */
  synchronized void poll() {
    FolderPrint read = FolderPrint.of(folder);
    if (read.equals(settled)) {
      candidate = null;
      return;
    }
    if (!read.equals(candidate)) {
      candidate = read;
      return;
    }
    settled = read;
    candidate = null;
    List<RuleFault> faults = load();
    if (faults.isEmpty()) {
      log.info("rules reloaded from {}", KeyText.of(folder.toString()));
      return;
    }
    log.error("rules not reloaded, the old ones stay in effect; faults: {}", faults.size());
    faults.stream().limit(MAX_LOGGED_FAULTS).forEach(fault -> log.error("  {}", fault));
  }

  /** Returns how often rules were taken. */
  long loads() {
    return loads.get();
  }

  /** Returns how often rules were refused for a fault. */
  long errors() {
    return errors.get();
  }
}
