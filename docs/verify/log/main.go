// Reads a whole PayAssent log with the note and tlog packages of golang.org/x/mod, which other people wrote, and ends
// with 0 when the signature, every tile and every entry fit together. With a size and a root that were seen before, the
// log must also begin with that tree: what a witness asks before it signs.
//
//	go run main.go <base URL> <verifier key> [<size> <root>]
//
// Debian has all that is needed: golang-go and golang-golang-x-mod-dev.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const tileHeight = 8

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 && len(args) != 4 {
		return fmt.Errorf("usage: main <base URL> <verifier key> [<size> <root>]")
	}
	log := logReader{args[0] + "/log/"}
	tree, err := log.checkpoint(args[1])
	if err != nil {
		return err
	}
	hashes := tlog.TileHashReader(tree, log)
	root, err := tlog.TreeHash(tree.N, hashes)
	if err != nil || root != tree.Hash {
		return fmt.Errorf("the tiles do not give the signed root: %v", err)
	}
	for n := int64(0); n < tree.N; {
		entries, err := log.entries(n/(1<<tileHeight), tree.N)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			proof, err := tlog.ProveRecord(tree.N, n, hashes)
			if err != nil {
				return err
			}
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, n, tlog.RecordHash(entry)); err != nil {
				return fmt.Errorf("entry %d: %v", n, err)
			}
			n++
		}
	}
	if len(args) == 4 {
		if err := follows(args[2], args[3], tree, hashes); err != nil {
			return err
		}
	}
	fmt.Printf("accepted: %d entries\n", tree.N)
	return nil
}

func follows(size, root string, tree tlog.Tree, hashes tlog.HashReader) error {
	old, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return err
	}
	oldHash, err := tlog.ParseHash(root)
	if err != nil {
		return err
	}
	if old > tree.N {
		return fmt.Errorf("the log had %d entries and has %d", old, tree.N)
	}
	proof, err := tlog.ProveTree(tree.N, old, hashes)
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(proof, tree.N, tree.Hash, old, oldHash); err != nil {
		return fmt.Errorf("the log does not begin with the tree of %d entries: %v", old, err)
	}
	return nil
}

type logReader struct{ prefix string }

func (r logReader) read(path string) ([]byte, error) {
	response, err := http.Get(r.prefix + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return io.ReadAll(response.Body)
}

// The three lines of a C2SP checkpoint, under a signature of the one key.
func (r logReader) checkpoint(key string) (tree tlog.Tree, err error) {
	signed, err := r.read("checkpoint")
	if err != nil {
		return tree, err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return tree, err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return tree, err
	}
	lines := strings.SplitN(opened.Text, "\n", 4)
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tree, fmt.Errorf("not a checkpoint of %s", verifier.Name())
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

func (r logReader) Height() int                             { return tileHeight }
func (r logReader) SaveTiles(tiles []tlog.Tile, _ [][]byte) {}

func (r logReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(tiles))
	for i, tile := range tiles {
		data, err := r.read(pathOf(tile))
		if err != nil {
			return nil, err
		}
		read[i] = data
	}
	return read, nil
}

// C2SP leaves the height out of the path: it is always 8.
func pathOf(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight), "tile/", 1)
}

func (r logReader) entries(index, size int64) ([][]byte, error) {
	width := size - index<<tileHeight
	if width > 1<<tileHeight {
		width = 1 << tileHeight
	}
	path := pathOf(tlog.Tile{H: tileHeight, L: 0, N: index, W: int(width)})
	data, err := r.read(strings.Replace(path, "tile/0/", "tile/entries/", 1))
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(data) >= 2 {
		end := 2 + int(binary.BigEndian.Uint16(data))
		if end > len(data) {
			break
		}
		entries = append(entries, data[2:end])
		data = data[end:]
	}
	if len(data) > 0 || int64(len(entries)) != width {
		return nil, fmt.Errorf("entries %d are incomplete", index)
	}
	return entries, nil
}
