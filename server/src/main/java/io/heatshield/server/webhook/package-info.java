/** Posts to another program when a key turns hot or cools. */
@NullMarked
package io.heatshield.server.webhook;

import org.jspecify.annotations.NullMarked;
