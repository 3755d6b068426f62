package io.heatshield.store.engine;

import java.util.List;

/**
 * A page of a scan.
 *
 * @param cursor the cursor of the next page, as an unsigned number; 0 if this is the last one
 * @param keys the keys of this page, perhaps none
 */
public record ScanPage(long cursor, List<ScannedKey> keys) {}
