/** Replies that the shield makes itself or combines from the replies of several servers. */
@NullMarked
package io.heatshield.shield.reply;

import org.jspecify.annotations.NullMarked;
