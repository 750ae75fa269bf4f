//! A page in a real browser: what is measured there, and pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Scratch;

/// Measures the page in the frame, returns what is wrong or how much was measured.
const LOOK: &str = include_str!("look.js");
/// Where a browser that does not end is ended.
const PATIENCE: Duration = Duration::from_secs(120);

/// A Chromium.
pub(crate) struct Browser(PathBuf);

impl Browser {
    /// The one that `CHROMIUM` names, or one on the path.
    pub(crate) fn find() -> Option<Browser> {
        if let Some(path) = std::env::var_os("CHROMIUM") {
            return Some(Browser(path.into()));
        }
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
        let paths =
            names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        paths.into_iter().find(|path| path.is_file()).map(Browser)
    }

    fn run(&self, scratch: &Scratch, dark: bool, args: &[String]) -> String {
        let profile = scratch.join("profile");
        drop(fs::remove_dir_all(&profile));
        let out = scratch.join("browser.out");
        let mut child = Command::new(&self.0)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(["--hide-scrollbars", "--force-device-scale-factor=1"])
            .arg(format!("--blink-settings=preferredColorScheme={}", i32::from(!dark)))
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(args)
            .stdin(Stdio::null())
            .stdout(fs::File::create(&out).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > PATIENCE {
                drop(child.kill());
                drop(child.wait());
                panic!("{} does not end", self.0.display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        String::from_utf8_lossy(&fs::read(&out).unwrap()).into_owned()
    }

    /// The page in a frame of each width: a browser's own window is never as narrow as a telephone.
    fn frames(
        scratch: &Scratch,
        html: &str,
        (widths, height): (&[u32], u32),
        script: &str,
    ) -> String {
        let inside = html.replace('&', "&amp;").replace('"', "&quot;");
        let frame = |width: &u32| {
            format!(
                "<iframe width=\"{width}\" height=\"{height}\" style=\"border:0;display:block\" \
                 srcdoc=\"{inside}\"></iframe>"
            )
        };
        let frames: String = widths.iter().map(frame).collect();
        let page = format!(
            "<!DOCTYPE html><html><head><meta charset=\"utf-8\">\
             <meta name=\"color-scheme\" content=\"light dark\"></head><body style=\"margin:0\">\
             {frames}<pre id=\"found\">nothing ran</pre>{script}</body></html>"
        );
        let path = scratch.write("frame.html", page.as_bytes());
        format!("file://{}", path.display())
    }

    /// The results at these widths, of one start of the browser: `seen …` of each, or what is wrong.
    pub(crate) fn look(&self, scratch: &Scratch, html: &str, widths: &[u32], dark: bool) -> String {
        let script = format!("<script>const DARK = {dark}, WIDTHS = {widths:?};\n{LOOK}</script>");
        let address = Browser::frames(scratch, html, (widths, 900), &script);
        let page = self.run(scratch, dark, &["--dump-dom".to_string(), address]);
        let found =
            page.split_once("<pre id=\"found\">").and_then(|(_, rest)| rest.split_once("</pre>"));
        found.map_or(format!("the browser said: {page}"), |(found, _)| found.to_string())
    }

    /// Takes a picture.
    pub(crate) fn picture(
        &self,
        scratch: &Scratch,
        html: &str,
        size: (u32, u32),
        dark: bool,
        to: &Path,
    ) {
        let address = Browser::frames(scratch, html, (&[size.0], size.1), "");
        let shot = format!("--screenshot={}", to.display());
        let window = format!("--window-size={},{}", size.0.max(500), size.1);
        self.run(scratch, dark, &[window, shot, address]);
    }
}
