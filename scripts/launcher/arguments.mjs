/**
 * The arguments after a command. npm takes the `--` of `npm test -- unit tickets` away; without npm it is still there,
 * and a test runner that gets it takes no filter after it: all tests would run.
 *
 * @param {readonly string[]} given
 * @returns {readonly string[]}
 */
export function withoutSeparator(given) {
  return given[0] === "--" ? given.slice(1) : given;
}
