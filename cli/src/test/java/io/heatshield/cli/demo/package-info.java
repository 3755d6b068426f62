/** Tests of the demo's traffic. */
@NullMarked
package io.heatshield.cli.demo;

import org.jspecify.annotations.NullMarked;
