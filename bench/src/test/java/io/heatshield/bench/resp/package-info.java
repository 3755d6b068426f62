/** Load on the data port by redis-benchmark, beside a bare server and a real Redis. */
@NullMarked
package io.heatshield.bench.resp;

import org.jspecify.annotations.NullMarked;
