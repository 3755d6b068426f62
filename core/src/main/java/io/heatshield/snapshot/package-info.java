/** The format that stored snapshots share: blocks with checksums, read without trust. */
@NullMarked
package io.heatshield.snapshot;

import org.jspecify.annotations.NullMarked;
