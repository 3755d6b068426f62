/** What the {@code limit} command asks the gRPC door, and how it shows the answer. */
@NullMarked
package io.heatshield.cli.limit;

import org.jspecify.annotations.NullMarked;
