/** The common format of stored snapshots: blocks with checksums. */
@NullMarked
package io.heatshield.snapshot;

import org.jspecify.annotations.NullMarked;
