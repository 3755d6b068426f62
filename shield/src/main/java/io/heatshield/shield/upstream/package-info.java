/** The servers behind the shield, and the connections of clients to them. */
@NullMarked
package io.heatshield.shield.upstream;

import org.jspecify.annotations.NullMarked;
