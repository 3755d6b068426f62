/** The stored form that snapshots share: blocks under checksums, read as if by an enemy. */
@NullMarked
package io.heatshield.snapshot;

import org.jspecify.annotations.NullMarked;
