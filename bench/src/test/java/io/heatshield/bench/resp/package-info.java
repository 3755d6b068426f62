/** Load on the data port by redis-benchmark, compared with a bare server and a real Redis. */
@NullMarked
package io.heatshield.bench.resp;

import org.jspecify.annotations.NullMarked;
