/** The engine that keeps a store's data on disk, in RocksDB. */
@NullMarked
package io.heatshield.rocksdb;

import org.jspecify.annotations.NullMarked;
