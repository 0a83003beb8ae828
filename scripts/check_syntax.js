// Checks the syntax of each script or module named on the command line; an error names file and line.
const { spawnSync } = require("node:child_process");

for (const file of process.argv.slice(2)) {
  const { status } = spawnSync(process.execPath, ["--check", file], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
