package io.heatshield.store.engine;

import java.util.List;

/**
 * A part of a scan.
 *
 * @param cursor where to go on, as an unsigned number; 0 if the scan has ended
 * @param keys the keys of this part, at times none
 */
public record ScanPage(long cursor, List<Found> keys) {}
