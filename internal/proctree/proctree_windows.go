// Windows: a job object instead of a guard. Its last handle is in this process,
// so that the end of this process, however it comes, ends everything in the job.

package proctree

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Guard does nothing here. It is called first in main for the systems that need it.
func Guard() {}

func start(cmd Command) (*Tree, error) {
	r, err := resolve(cmd)
	if err != nil {
		return nil, err
	}
	streams, closeStreams, err := openStreams(r.Command)
	if err != nil {
		return nil, err
	}
	defer closeStreams()
	handle, err := newJob()
	if err != nil {
		return nil, fmt.Errorf("%q cannot be started because no job object can be made for it: %w", r.Path, err)
	}
	process, err := os.StartProcess(r.Path, append([]string{r.Path}, r.Args...), &os.ProcAttr{
		Dir:   r.Dir,
		Env:   r.Env,
		Files: streams[:],
		// Suspended, so that it starts nothing before it is in the job. Without a
		// window it also has a console of its own, which keeps Ctrl-C away.
		Sys: &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW},
	})
	if err != nil {
		windows.CloseHandle(handle)
		return nil, startError(r.Path, err)
	}
	if err := enterJob(handle, process); err != nil {
		process.Kill()
		process.Wait()
		windows.CloseHandle(handle)
		return nil, fmt.Errorf("%q was stopped before it began because it cannot be put into a job object: %w", r.Path, err)
	}
	j := &job{handle: handle}
	t := &Tree{
		pid:  process.Pid,
		done: make(chan struct{}),
		ask: func(grace time.Duration) {
			time.AfterFunc(grace, j.terminate)
		},
		force: j.terminate,
	}
	go func() {
		t.exit = "ended in an unknown way"
		if state, err := process.Wait(); err == nil {
			t.exit = fmt.Sprintf("exited with status %d", state.ExitCode())
		}
		j.finish()
		removeFolder(r.Remove)
		close(t.done)
	}()
	return t, nil
}

// newJob makes a job object that is killed with its last handle and that
// processes cannot leave.
func newJob() (windows.Handle, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(handle)
		return 0, err
	}
	return handle, nil
}

// enterJob puts a suspended process into the job and lets it run.
func enterJob(handle windows.Handle, process *os.Process) error {
	var assignErr error
	err := process.WithHandle(func(h uintptr) {
		assignErr = windows.AssignProcessToJobObject(handle, windows.Handle(h))
	})
	if err == nil {
		err = assignErr
	}
	if err != nil {
		return err
	}
	return resume(uint32(process.Pid))
}

// resume lets the threads of a process run that was started suspended. The
// handle of its first thread, which os.StartProcess does not give out, is found
// in the system's list of threads.
func resume(pid uint32) error {
	threads, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(threads)
	resumed := false
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(threads, &entry); err == nil; err = windows.Thread32Next(threads, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		windows.CloseHandle(thread)
		if err != nil {
			return err
		}
		resumed = true
	}
	if !resumed {
		return fmt.Errorf("no thread of process %d was found", pid)
	}
	return nil
}

// job is a job object that may be ended from several goroutines.
type job struct {
	mu     sync.Mutex
	handle windows.Handle // 0 once it is closed
}

// terminate kills what is in the job, if anything is left.
func (j *job) terminate() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		windows.TerminateJobObject(j.handle, 1)
	}
}

// finish kills what the program has left, waits until it is gone, and closes the
// job.
func (j *job) finish() {
	for {
		j.terminate()
		if j.active() == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	windows.CloseHandle(j.handle)
	j.handle = 0
}

// active returns the number of processes in the job.
func (j *job) active() uint32 {
	// JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of winnt.h
	var accounting struct {
		userTime, kernelTime, periodUserTime, periodKernelTime int64
		pageFaults, processes, active, terminated              uint32
	}
	err := windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&accounting)), uint32(unsafe.Sizeof(accounting)), nil)
	if err != nil {
		return 0
	}
	return accounting.active
}
