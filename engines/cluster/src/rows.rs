//! What one would write without this project: functions that loop over rows and call the standard library. For the
//! benchmark.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringBuilder, StringViewBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

/// Registers `std_utf8_decode(bytes)` and `std_utf16le_decode(bytes)`, which fail at an ill-formed value.
///
/// # Errors
///
/// That of a registry that takes no functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}

/// Returns both functions.
#[must_use]
pub fn functions() -> [Arc<ScalarUDF>; 2] {
    [("std_utf8_decode", false), ("std_utf16le_decode", true)].map(|(name, is_utf16)| {
        let signature = Signature::uniform(1, vec![DataType::Binary, DataType::BinaryView], Volatility::Immutable);
        Arc::new(ScalarUDF::new_from_impl(Rows { name, is_utf16, signature }))
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Rows {
    name: &'static str,
    is_utf16: bool,
    signature: Signature,
}

impl ScalarUDFImpl for Rows {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [DataType::Binary] => Ok(DataType::Utf8),
            [DataType::BinaryView] => Ok(DataType::Utf8View),
            _ => plan_err!("{} takes Binary or BinaryView", self.name),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let array = args.args[0].to_array(args.number_rows)?;
        let text: ArrayRef = match array.data_type() {
            DataType::Binary => {
                let mut text = StringBuilder::with_capacity(array.len(), 0);
                for row in array.as_binary::<i32>() {
                    text.append_option(row.map(|row| self.decode(row)).transpose()?);
                }
                Arc::new(text.finish())
            }
            _ => {
                let mut text = StringViewBuilder::with_capacity(array.len());
                for row in array.as_binary_view() {
                    text.append_option(row.map(|row| self.decode(row)).transpose()?);
                }
                Arc::new(text.finish())
            }
        };
        Ok(ColumnarValue::Array(text))
    }
}

impl Rows {
    fn decode(&self, row: &[u8]) -> Result<String> {
        let text = if self.is_utf16 {
            let units: Vec<u16> = row.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
            String::from_utf16(&units).ok()
        } else {
            String::from_utf8(row.to_vec()).ok()
        };
        let Some(text) = text else { return exec_err!("{}: ill-formed", self.name) };
        Ok(text)
    }
}
