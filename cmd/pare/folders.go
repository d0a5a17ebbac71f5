package main

import (
	"context"
	"path"
	"strings"

	"github.com/parequet/pare"
	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/azure"
	"github.com/parequet/pare/source/gcs"
	"github.com/parequet/pare/source/s3"
)

// folders open the stores that URLs lie in, by their schemes: the store, its own
// URL, and the name in it. Web servers have no listings.
var folders = map[string]func(ctx context.Context, url string) (store source.Store, root, name string, err error){
	"s3": s3Folder,
	"gs": gsFolder,
	"az": azureFolder,
}

// isFolder reports whether a URL names a folder or a pattern rather than an object:
// it has a wildcard, or its last part is empty or has no extension.
func isFolder(url string) bool {
	if folders[scheme(url)] == nil {
		return false
	}
	return strings.ContainsAny(url, "*?[") || path.Ext(url[strings.LastIndexByte(url, '/')+1:]) == ""
}

// remoteMembers lists what a URL stands for. The path of a single object says
// nothing of partitions.
func remoteMembers(ctx context.Context, url string) ([]pare.Member, error) {
	if isFolder(url) {
		store, root, name, err := folders[scheme(url)](ctx, url)
		if err != nil {
			return nil, err
		}
		return pare.List(ctx, store, root, name)
	}
	if _, err := expand([]string{url}); err != nil {
		return nil, err
	}
	src, shown, err := openRemote(ctx, url)
	if err != nil {
		return nil, err
	}
	return []pare.Member{{Name: shown, Size: -1, Open: func(context.Context) (source.Source, error) { return src, nil }}}, nil
}

func s3Folder(ctx context.Context, url string) (source.Store, string, string, error) {
	bucket, key, err := s3.ParseURL(url)
	if err != nil {
		return nil, "", "", usagef("%s: %s", url, err)
	}
	c, err := s3Client(ctx)
	if err != nil {
		return nil, "", "", err
	}
	return c.Bucket(bucket), "s3://" + bucket + "/", key, nil
}

func gsFolder(ctx context.Context, url string) (source.Store, string, string, error) {
	bucket, key, err := gcs.ParseURL(url)
	if err != nil {
		return nil, "", "", usagef("%s: %s", url, err)
	}
	c, err := gsClient(ctx)
	if err != nil {
		return nil, "", "", err
	}
	return c.Bucket(bucket), "gs://" + bucket + "/", key, nil
}

func azureFolder(_ context.Context, url string) (source.Store, string, string, error) {
	account, container, key, err := azure.ParseURL(url)
	if err != nil {
		return nil, "", "", usagef("%s: %s", url, err)
	}
	c, err := azure.NewClient(azure.Options{Account: account})
	if err != nil {
		return nil, "", "", err
	}
	return c.Container(container), strings.TrimSuffix(url, key), key, nil
}

// findFooters finds the file _metadata of the one folder or pattern that is named:
// at the place from which the paths of the table's files are counted.
func findFooters(ctx context.Context, args []string) (pare.Member, error) {
	if _, one := single(args); one || len(args) != 1 {
		return pare.Member{}, usagef("--use-metadata needs one directory or pattern")
	}
	store, root, name, err := place(ctx, args[0])
	if err != nil {
		return pare.Member{}, err
	}
	if i := strings.IndexAny(name, "*?["); i >= 0 {
		name = name[:strings.LastIndexByte(name[:i], '/')+1]
	}
	return pare.FindFooters(ctx, store, root, name)
}
