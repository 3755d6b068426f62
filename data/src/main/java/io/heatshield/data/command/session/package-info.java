/** Clients of the RESP port: login, their state, and transactions. */
@NullMarked
package io.heatshield.data.command.session;

import org.jspecify.annotations.NullMarked;
