// Package s3test starts S3 servers for tests.
package s3test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// The key that the servers accept.
const (
	Key    = "AKIDTESTKEY"
	Secret = "testsecretoftheserver"
)

// Environment is that of a machine without any configuration but the key.
func Environment(t testing.TB) {
	t.Helper()
	for _, name := range []string{
		"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3",
		"AWS_SESSION_TOKEN", "AWS_NO_SIGN_REQUEST", "AWS_MAX_ATTEMPTS",
	} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_ACCESS_KEY_ID", Key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", Secret)
}

// Fake starts gofakes3 in this process, which checks neither keys nor regions.
func Fake(t testing.TB) string {
	srv := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(srv.Close)
	return srv.URL
}

// Versity starts the S3 gateway that PARE_VERSITYGW names. It checks keys,
// signatures and regions.
func Versity(t testing.TB) string {
	program := os.Getenv("PARE_VERSITYGW")
	if program == "" {
		t.Skip("PARE_VERSITYGW does not name the versitygw program")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "--access", Key, "--secret", Secret, "--region", "us-east-1",
		"--port", addr, "posix", "--sidecar", filepath.Join(dir, "meta"), filepath.Join(dir, "data"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	for _, sub := range []string{"meta", "data"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	if err := answers("http://"+addr, ended); err != nil {
		_ = cmd.Process.Kill()
		t.Fatalf("versitygw: %v", err)
	}
	return "http://" + addr
}

// Fill makes a bucket of these objects, with the key of Environment.
func Fill(t testing.TB, url, bucket string, objects map[string][]byte) {
	t.Helper()
	client := s3.New(s3.Options{BaseEndpoint: &url, Region: "us-east-1", UsePathStyle: true,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: Key, SecretAccessKey: Secret}, nil
		})})
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	keys := make(chan string)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for key := range keys {
				_, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader(objects[key])})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for key := range objects {
		keys <- key
	}
	close(keys)
	wg.Wait()
}

// answers waits until a server does.
func answers(url string, ended chan error) error {
	for range 100 {
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close()
			return nil
		}
		select {
		case err := <-ended:
			ended <- err
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("no answer in ten seconds")
}
