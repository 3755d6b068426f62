/** Commands about the server itself. */
@NullMarked
package io.heatshield.data.command.server;

import org.jspecify.annotations.NullMarked;
