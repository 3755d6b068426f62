/** The Redis wire protocol: commands in, replies out and back, RESP2 and RESP3, all bounded. */
@NullMarked
package io.heatshield.resp;

import org.jspecify.annotations.NullMarked;
