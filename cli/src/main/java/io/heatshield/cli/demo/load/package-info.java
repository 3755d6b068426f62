/** The clients of the demo: keys, request rates and measurements. */
@NullMarked
package io.heatshield.cli.demo.load;

import org.jspecify.annotations.NullMarked;
