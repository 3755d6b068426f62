/** Parsers and writers for the Redis protocol, RESP2 and RESP3, with bounded memory. */
@NullMarked
package io.heatshield.resp;

import org.jspecify.annotations.NullMarked;
