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
 * The folder of rule files, which is loaded at the start and again after each change.
 *
 * <p>A change counts once two polls in a row see the same state, so files that are still being
 * written are not loaded. Any thread may poll; polls run one at a time.
 */
final class RuleFolder {
  private static final Logger log = LoggerFactory.getLogger(RuleFolder.class);
  private static final int MAX_LOGGED_FAULTS = 50;

  private final Path folder;
  private final boolean mergeDomains;
  private final Consumer<RuleSet> onLoad;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private FolderPrint settled;
  private @Nullable FolderPrint candidate;

  /**
   * Creates a folder that is not loaded.
   *
   * @param onLoad receives every set of rules that was loaded without a fault
   */
  RuleFolder(Path folder, boolean mergeDomains, Consumer<RuleSet> onLoad) {
    this.folder = folder;
    this.mergeDomains = mergeDomains;
    this.onLoad = onLoad;
    this.settled = FolderPrint.of(folder);
  }

  /** Loads the folder and returns its faults. */
  synchronized List<RuleFault> load() {
    LoadResult result = RuleFiles.load(folder, mergeDomains);
    if (result instanceof LoadResult.Valid valid) {
      onLoad.accept(valid.rules());
      loads.incrementAndGet();
      return List.of();
    }
    errors.incrementAndGet();
    return ((LoadResult.Invalid) result).faults();
  }

  /** Loads the folder if it has changed; keeps the present rules if it has faults. */
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

  /** Returns how often rules were loaded. */
  long loads() {
    return loads.get();
  }

  /** Returns how often rules were refused because of faults. */
  long errors() {
    return errors.get();
  }
}
