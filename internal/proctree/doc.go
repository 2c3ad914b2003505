// Package proctree runs a program together with everything that program
// starts, so that nothing of it is ever left behind: not when the program ends,
// not when it is stopped, and not when this process is killed.
//
// A process group is not enough for that, because browsers and daemons start
// groups and sessions of their own. How it is done instead:
//
//   - Linux: the program's parent is a guard, this same executable run again
//     (see [Guard]). The guard is a child subreaper, so that every orphan below
//     it becomes its child. It kills and reaps until the kernel says that it has
//     no child left. It acts when the program exits, when [Tree.Stop] tells it
//     to, and when its pipe from this process closes or a pidfd says that this
//     process is gone. If the guard itself is killed, the parent-death signal
//     ends the program, and this process, which Start makes a subreaper too,
//     kills and reaps the rest: what is of a session of the tree or carries
//     [TreeVariable], and all below it.
//   - macOS: the same guard, without a subreaper to lean on. It finds the
//     descendants by parent, by session and by an environment variable that all
//     of them inherit ([TreeVariable]), and remembers every one it has seen. A
//     process that leaves its parent and its session and drops its environment
//     within one second can escape.
//   - Windows: no guard, but a job object that is closed, and with it everything
//     in the job killed, when this process ends. [Command.Stdin] and the other
//     streams work as elsewhere.
//   - Other Unix systems: the guard with the program's process group only.
//
// Standard input, output and error are handed straight to the program. Nothing
// is copied, and the guard keeps no copy of them, so an end of file is real.
//
// A folder of the tree's temporary files can go with it ([Command.Remove]): the
// guard removes it as its last act.
//
// What is tested where: all tests run on Linux. The macOS way of finding
// descendants is shared code and is tested on Linux with the subreaper switched
// off; the parts that are macOS's or Windows's alone are compiled and vetted
// only.
package proctree
