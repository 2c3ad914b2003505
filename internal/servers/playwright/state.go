package playwright

// When the session's storage is saved.

import (
	"context"
	"errors"
	"time"
)

const (
	// quiet is how long upstream is idle before the storage is saved: an agent
	// takes longer to think, a page's own requests are mostly over.
	quiet = 50 * time.Millisecond
	// saveLimit bounds one saving.
	saveLimit = 10 * time.Second
	// saveAgain is when a saving that has failed is tried again.
	saveAgain = 2 * time.Second
)

// touch notes that the page may have changed. Called with mu.
func (v *recovery) touch() {
	v.dirty = true
	v.arm()
}

// shown notes that a look shows something else than before: the page may have
// changed by itself, without asking a server for anything. It takes no lock, for
// whoever looks holds the row's.
func (v *recovery) shown() {
	v.news.Store(true)
	v.arm()
}

// arm makes what has changed be saved as soon as upstream is quiet.
func (v *recovery) arm() {
	select {
	case v.touched <- struct{}{}:
	default:
	}
}

// saveWhenIdle saves the storage after each change of the page, as soon as
// upstream has nothing to do, until the session ends.
func (v *recovery) saveWhenIdle() {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-v.ctx.Done():
			return
		case <-v.touched:
			timer.Reset(quiet)
		case <-timer.C:
			if v.mayNotSave() {
				continue // the end of what is under way arms it
			}
			if !v.save() {
				timer.Reset(saveAgain)
			}
		}
	}
}

// storageIsOurs reports whether what the browser stores is the session's only.
func (v *recovery) storageIsOurs() bool { return !v.remote || v.watch != nil && v.watch.State().Ours }

// mayNotSave reports whether there is nothing to save now. Otherwise what has
// changed so far counts as saved.
func (v *recovery) mayNotSave() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.news.Swap(false) {
		v.dirty = true
	}
	if !v.dirty || v.active > 0 || v.restoring || v.closing || !v.storageIsOurs() || v.ours == "" || v.deadLocked() != "" {
		return true
	}
	v.dirty = false
	return false
}

// save asks the script for the storage and keeps it, if the browser is still the
// session's own when it is there and is not closed. Otherwise it has still to be saved.
func (v *recovery) save() bool {
	began := time.Now()
	ctx, cancel := context.WithTimeout(v.ctx, saveLimit)
	defer cancel()
	v.mu.Lock()
	ours, closings := v.ours, v.saved.closings()
	v.mu.Unlock()
	state, err := v.watch.Save(ctx, v.onDisk)
	v.mu.Lock()
	if err == nil && (v.ours != ours || v.restoring || v.deadLocked() != "") {
		err = errors.New("the browser is another one now")
	}
	v.mu.Unlock()
	if err == nil {
		err = v.saved.write(state, closings)
	}
	if err != nil { // what was saved before still counts
		v.mu.Lock()
		v.dirty = true
		v.mu.Unlock()
		v.row.log.Debug("the session's storage could not be saved", "reason", err.Error())
		return false
	}
	v.row.log.Debug("the session's storage was saved", "bytes", len(state), "ms", time.Since(began).Milliseconds())
	return true
}
